"""How languages count: which form of a word goes with a number."""


def plural(language: str, n: object) -> str:
    """The plural form a language uses with this number, by its name in the Unicode tables."""
    if not isinstance(n, int) or language == "hu":
        return "other"
    if language == "is":
        return "one" if n % 10 == 1 and n % 100 != 11 else "other"
    if language == "cs" and 2 <= n <= 4:
        return "few"
    return "one" if n == 1 else "other"
