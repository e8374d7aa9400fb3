"""A directed graph: nodes with colours, and edges with weights between nodes that exist."""
import random

nodes = [random.choice(["red", "green", "blue"]) for _ in range(random.randint(1, 25))]
for number, colour in enumerate(nodes):
    label = f" label=n{random.randint(0, 99)}" if random.random() < 0.3 else ""
    print(f"node {number} {colour}{label}")
for _ in range(random.randint(0, 40)):
    start, end = random.randrange(len(nodes)), random.randrange(len(nodes))
    print(f"edge {start} {end} {random.randint(1, 9)}")
