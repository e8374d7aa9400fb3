"""A script in a subset of JavaScript, whose variables are declared before they are used."""
import random


def value(names, depth):
    if depth == 0 or random.random() < 0.3:
        return random.choice(names) if names and random.random() < 0.5 else str(random.randint(0, 99))
    if random.random() < 0.2:
        return f"[{', '.join(value(names, depth - 1) for _ in range(random.randint(0, 4)))}]"
    return f"({value(names, depth - 1)} {random.choice('+-*/')} {value(names, depth - 1)})"


def block(names, depth, margin):
    names = list(names)
    for _ in range(random.randint(1, 5)):
        kind = random.choice(["let", "if", "while", "print"])
        if kind == "let":
            text = f"let v{len(names)} = {value(names, 2)};"
            names.append(f"v{len(names)}")
            print(margin + text)
        elif kind == "print" or depth == 0:
            print(f"{margin}print({value(names, 3)});")
        else:
            print(f"{margin}{kind} ({value(names, 2)}) {{")
            block(names, depth - 1, margin + "  ")
            print(margin + "}")


block([], 3, "")
