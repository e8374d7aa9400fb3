"""A model as nested records: layers with shapes that fit to each other."""
import random


def layer(width, depth):
    kind = random.choice(["dense", "norm", "branch", "dropout"])
    if kind == "dense":
        out = random.choice([4, 8, 16, 32])
        return f"dense({width}->{out}, {random.choice(['relu', 'tanh', 'none'])})", out
    if kind == "branch" and depth > 0:
        left, right = stack(width, depth - 1), stack(width, depth - 1)
        return f"concat([{left[0]}], [{right[0]}])", left[1] + right[1]
    if kind == "dropout":
        return f"dropout({random.randint(1, 9)}/10)", width
    return f"norm({width})", width


def stack(width, depth):
    layers = []
    for _ in range(random.randint(1, 5)):
        text, width = layer(width, depth)
        layers.append(text)
    return ", ".join(layers), width


print(f"model [{stack(8, 3)[0]}]")
