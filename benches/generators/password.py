"""A password that is typed twice, so that nothing can be removed from the text alone."""
import random
import string


def password():
    word = ""
    for _ in range(random.choice(range(20))):
        word += random.choice(string.ascii_lowercase)
    return word + "\n"


line = password()
print(line + line, end="")
