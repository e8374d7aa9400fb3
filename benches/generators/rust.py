"""Rust functions that call those before them, with as many arguments as these have."""
import random

functions = []


def expression(parameters, depth):
    if depth and functions and random.random() < 0.4:
        name, count = random.choice(functions)
        return f"{name}({', '.join(expression(parameters, depth - 1) for _ in range(count))})"
    if depth and random.random() < 0.4:
        return f"{expression(parameters, depth - 1)}.wrapping_add({expression(parameters, depth - 1)})"
    return random.choice(parameters) if parameters and random.random() < 0.6 else f"{random.randint(0, 99)}u32"


for number in range(random.randint(1, 10)):
    parameters = [f"p{i}" for i in range(random.randint(0, 3))]
    print(f"pub fn f{number}({', '.join(p + ': u32' for p in parameters)}) -> u32 {{")
    for i in range(random.randint(0, 3)):
        print(f"    let v{i} = {expression(parameters, 2)};")
        parameters.append(f"v{i}")
    print(f"    {expression(parameters, 3)}\n}}")
    functions.append((f"f{number}", sum(p.startswith("p") for p in parameters)))
