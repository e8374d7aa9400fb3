"""Random SQL: a few tables, and queries over them."""
import random

TYPES = ["INT", "TEXT", "REAL", "BOOLEAN"]
WORDS = ["alpha", "beta", "gamma", "delta", "omega"]
AGGREGATES = ["COUNT", "SUM", "MIN", "MAX"]


class Table:
    def __init__(self, number):
        self.name = f"t{number}"
        self.columns = []
        for i in range(random.randint(1, 6)):
            self.columns.append((f"{self.name}_c{i}", random.choice(TYPES)))

    def create(self):
        parts = []
        for name, kind in self.columns:
            text = f"{name} {kind}"
            if random.random() < 0.3:
                text += " NOT NULL"
            if kind == "INT" and random.random() < 0.2:
                text += f" DEFAULT {random.randint(0, 1000)}"
            parts.append(text)
        if random.random() < 0.4:
            parts.append(f"PRIMARY KEY ({random.choice(self.columns)[0]})")
        return f"CREATE TABLE {self.name} ({', '.join(parts)});"


def literal():
    kind = random.randrange(3)
    if kind == 0:
        return str(random.randint(-100, 100))
    if kind == 1:
        return f"'{random.choice(WORDS)}'"
    return random.choice(["TRUE", "FALSE", "NULL"])


def expression(columns, depth):
    if depth <= 0 or random.random() < 0.2:
        return random.choice(columns)[0] if random.random() < 0.6 else literal()
    make = random.choice([binary, function, case, unary])
    return make(columns, depth - 1)


def binary(columns, depth):
    operator = random.choice(["+", "-", "*", "/", "=", "<", "AND", "OR", "||"])
    return f"({expression(columns, depth)} {operator} {expression(columns, depth)})"


def unary(columns, depth):
    return f"(NOT {expression(columns, depth)})"


def function(columns, depth):
    name = random.choice(["ABS", "COALESCE", "LENGTH", "NULLIF"])
    arguments = [expression(columns, depth)]
    while random.random() < 0.35:
        arguments.append(expression(columns, depth))
    return f"{name}({', '.join(arguments)})"


def case(columns, depth):
    text = "CASE"
    for _ in range(random.randint(1, 3)):
        text += f" WHEN {expression(columns, depth)} THEN {expression(columns, depth)}"
    if random.random() < 0.5:
        text += f" ELSE {expression(columns, depth)}"
    return text + " END"


def select(tables, depth):
    used = random.sample(tables, random.randint(1, min(2, len(tables))))
    columns = [column for table in used for column in table.columns]
    outputs = [expression(columns, depth) for _ in range(random.randint(1, 4))]
    if random.random() < 0.25:
        outputs.append(f"{random.choice(AGGREGATES)}({random.choice(columns)[0]})")
    text = f"SELECT {', '.join(outputs)} FROM {' JOIN '.join(table.name for table in used)}"
    if random.random() < 0.6:
        text += f" WHERE {expression(columns, depth)}"
    if random.random() < 0.3:
        text += f" ORDER BY {random.choice(columns)[0]}"
        if random.random() < 0.5:
            text += " DESC"
    if random.random() < 0.2:
        text += f" LIMIT {random.randint(1, 50)}"
    return text


def main():
    tables = [Table(i) for i in range(random.randint(1, 4))]
    for table in tables:
        print(table.create())
    for _ in range(random.randint(2, 8)):
        query = select(tables, random.randint(1, 4))
        if random.random() < 0.2:
            query += " UNION " + select(tables, 1)
        print(query + ";")


if __name__ == "__main__":
    main()
