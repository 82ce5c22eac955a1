"""Eighty and more grammars that hurt: large, deep, ambiguous, endless, or no grammars at all."""

import json
from pathlib import Path

from cases import filled_in


def chain(number, link="r{} = r{}\n", last='r{} = "x"\n'):
    """Give rules each of which refers to the next."""
    return "".join(link.format(n, n + 1) for n in range(number)) + last.format(number)


WRITTEN = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
"""Texts as `cases.tables` reads them, or the arguments of `chain`."""

COMPUTED = {
    "1 MB of rules": lambda: (
        "".join(f'rule-{n} = 1*DIGIT "." rule-{n + 1}\n' for n in range(28_000))
        + 'rule-28000 = "x"\n'
    ),
    "1 MB of one alternation": lambda: "a = " + " / ".join(f'"w{n}"' for n in range(100_000)),
    "1 MB of one alternation over lines": lambda: (
        "a = x\n" + "".join(f'  / "w{n}"\n' for n in range(80_000)) + "x = ALPHA\n"
    ),
    "1 MB of lines that add others": lambda: (
        'a = "x"\n' + "".join(f'a =/ "{n}"\n' for n in range(70_000))
    ),
    "50,000 rules that are not defined": lambda: "a = " + " ".join(f"b{n}" for n in range(50_000)),
    "29 rules that lead to each other": lambda: "".join(
        f"r{n} = " + "".join(f'"{way:x}" r{(n + way) % 29} / ' for way in range(1, 13)) + '"y"\n'
        for n in range(29)
    ),
    "many exponentials": lambda: (
        "a = " + " / ".join(f'*( "x" / "y" ) "x" {n}( "x" / "y" ) "{n}"' for n in range(15, 40))
    ),
    "5,000 sets that overlap": lambda: (
        "a = " + " / ".join(f"%x{n + 0x100:X}-{n + 0x2000:X} %x{n + 0x100:X}" for n in range(5_000))
    ),
    "900 ranges that overlap": lambda: (
        "a = *( "
        + " / ".join(f"%x{n * 7:X}-{n * 7 + 300:X}" for n in range(900))
        + ' )\nb = a "x" a'
    ),
    "left recursion through 3,000 rules": lambda: "".join(
        f'r{n} = r{(n + 1) % 3_000} "a" / "b"\n' for n in range(3_000)
    ),
    "a choice of 2,900 rules": lambda: (
        "a = *( "
        + " / ".join(f"r{n}" for n in range(2_900))
        + " )\n"
        + "".join(f'r{n} = "{n}"\n' for n in range(2_900))
    ),
    "a list of 2,900 rules": lambda: (
        "a = ( "
        + " / ".join(f"r{n}" for n in range(2_900))
        + ' ) [ "," a ]\n'
        + "".join(f'r{n} = "{n}" / "(" a ")"\n' for n in range(2_900))
    ),
    "300 optional rules": lambda: (
        "a = "
        + " ".join(f"[ r{n} ]" for n in range(300))
        + "\n"
        + "".join(f'r{n} = *DIGIT "x"\n' for n in range(300))
    ),
    "30 letters to be remembered": lambda: (
        'a = "x" b / "y" b / "x" r0\nb = a\n'
        + chain(30, 'r{0} = "x" r{1} / "y" r{1}\n', 'r{} = "z"\n')
    ),
    "palindromes of 2,000 letters": lambda: (
        "a = " + " / ".join(f"%x{n:X} a %x{n:X}" for n in range(0x4E00, 0x4E00 + 2_000)) + ' / "x"'
    ),
    "two rules that are added to by turns": lambda: (
        'a = "0"\nb = "0"\n' + "".join(f'a =/ "{n}"\nb =/ a "{n}"\n' for n in range(20_000))
    ),
    "bytes that are not characters": lambda: bytes(range(256)) * 4_000,
}
HOSTILE = [*WRITTEN, *COMPUTED]
assert len(HOSTILE) >= 80


def octets(name):
    """Give a grammar as it is written to a file."""
    made = filled_in(WRITTEN[name], {}) if name in WRITTEN else COMPUTED[name]()
    made = chain(*made) if isinstance(made, list) else made
    return made if isinstance(made, bytes) else made.encode()
