"""Eighty and more grammars that hurt: large, deep, ambiguous, endless, or no grammars at all."""

MANY = 2_000


def chain(number, link="r{} = r{}\n", last='r{} = "x"\n'):
    """Give rules each of which refers to the next."""
    return "".join(link.format(n, n + 1) for n in range(number)) + last.format(number)


HOSTILE = {
    # sizes
    "a chain of 2,000 rules": lambda: chain(MANY), "a chain of 20,000 rules": lambda: chain(20_000),
    "a chain that doubles 60 times": lambda: chain(60, "r{0} = r{1} r{1}\n"),
    "a chain that doubles 2,000 times": lambda: chain(MANY, "r{0} = r{1} r{1}\n"),
    "a chain of optional rules that doubles": lambda: chain(60, "r{0} = [ r{1} ] [ r{1} ]\n"),
    "a chain of repeated rules": lambda: chain(60, "r{0} = *r{1}\n"),
    "a chain of choices that doubles": lambda: chain(60, 'r{0} = r{1} "a" / r{1} "b"\n'),
    "a ring of 2,000 rules": lambda: chain(MANY, 'r{} = "x" r{}\n', "r{} = [ r0 ]\n"),
    "1 MB of rules": lambda: (
        "".join(f'rule-{n} = 1*DIGIT "." rule-{n + 1}\n' for n in range(28_000))
        + 'rule-28000 = "x"\n'
    ),
    "1 MB of one alternation": lambda: "a = " + " / ".join(f'"w{n}"' for n in range(100_000)),
    "1 MB of one alternation over lines": lambda: (
        "a = x\n" + "".join(f'  / "w{n}"\n' for n in range(80_000)) + "x = ALPHA\n"
    ),
    "1 MB of one concatenation": lambda: "a = " + '"ab" ' * 200_000,
    "1 MB of one line of rules": lambda: "a = " + "b " * 500_000 + "\nb = DIGIT\n",
    "1 MB of one literal": lambda: 'a = "' + "x" * 1_000_000 + '"',
    "1 MB of one name": lambda: "a" * 1_000_000 + ' = "x"',
    "1 MB of one number": lambda: "a = %x" + "41." * 333_333 + "41",
    "1 MB of one prose": lambda: "a = <" + "prose " * 170_000 + ">",
    "1 MB of one comment": lambda: 'a = "x" ; ' + "c" * 1_000_000,
    "1 MB of spaces": lambda: "a =" + " " * 1_000_000 + '"x"',
    "1 MB of empty lines": lambda: 'a = "x"\n' + "\n" * 1_000_000,
    "1 MB of lines that add": lambda: 'a = "x"\n' + 'a =/ "y"\n' * 110_000,
    "1 MB of lines that add others": lambda: (
        'a = "x"\n' + "".join(f'a =/ "{n}"\n' for n in range(70_000))
    ),
    "the same rule 50,000 times": lambda: 'a = "x"\n' * 50_000,
    "50,000 rules that are not defined": lambda: "a = " + " ".join(f"b{n}" for n in range(50_000)),
    "50,000 lines of nonsense": lambda: "a = ^\n" * 50_000,
    "1 MB of nulls": lambda: "\0" * 1_000_000,
    "1 MB of quotation marks": lambda: 'a = "' + '"' * 1_000_000,
    "1 MB of percent signs": lambda: "a = " + "%" * 1_000_000,
    # depths
    "10,000 nested groups": lambda: "a = " + "(" * 10_000 + '"x"' + ")" * 10_000,
    "10,000 nested options": lambda: "a = " + "[" * 10_000 + '"x"' + "]" * 10_000,
    "40 nested options": lambda: "a = " + '["x" ' * 40 + '"y"' + "]" * 40,
    "40 nested repetitions": lambda: "a = " + "*(" * 39 + '"x"' + ")" * 39,
    "40 nested pairs": lambda: "a = " + "2(" * 39 + '"x"' + ")" * 39,
    "40 nested pairs of itself": lambda: 'a = "x" / ' + "2(" * 39 + "a" + ")" * 39,
    "29 rules that lead to each other": lambda: "".join(
        f"r{n} = " + "".join(f'"{way:x}" r{(n + way) % 29} / ' for way in range(1, 13)) + '"y"\n'
        for n in range(29)
    ),
    "10,000 groups": lambda: "a = " + '("x" / "y") ' * 10_000,
    # counts
    "a million times": lambda: 'a = 1*1000000"x"', "100,000 times": lambda: 'a = 100000"x"',
    "up to 100,000 times": lambda: 'a = *100000( "x" / "yz" )',
    "up to 100,000 rules": lambda: 'a = *100000b\nb = "x" [ "y" ]',
    "five nested counts": lambda: 'a = 3*5(3*5(3*5(3*5(3*5("x")))))',
    "five large nested counts": lambda: 'a = 1000(1000(1000(1000(1000("x" / "yz")))))',
    "a count of 900 digits": lambda: "a = " + "9" * 900 + '"x"',
    "a count in the wrong order": lambda: 'a = 5*3"x"',
    # ambiguity, recursion, and what never ends
    "pairs of itself": lambda: 'a = a a / "x"',
    "triples of itself or less": lambda: 'a = a a a / a a / "x" / ""',
    "a cycle": lambda: 'a = b / "x"\nb = a',
    "a cycle of what is empty": lambda: 'a = b a / b\nb = [ "x" ] [ a ]',
    "an endless rule": lambda: "a = a",
    "a thousand endless rules": lambda: chain(1_000, "r{} = r{}\n", "r{} = r0\n"),
    "hidden left recursion": lambda: 'a = *b a "x" / "x"\nb = *"y"',
    "repetitions of what is empty": lambda: 'a = *( *( *"x" ) [ "y" ] )',
    "overlapping repetitions": lambda: 'a = *"x" *"x" *"x" *"x" *"x" *"x" *"x" *"x" "!"',
    "words that can be split anywhere": lambda: 'a = 1*( 1*ALPHA [","] )',
    "exponentially many states": lambda: 'a = *( "x" / "y" ) "x" 40( "x" / "y" )',
    "many exponentials": lambda: (
        "a = " + " / ".join(f'*( "x" / "y" ) "x" {n}( "x" / "y" ) "{n}"' for n in range(15, 40))
    ),
    "palindromes": lambda: 'a = "x" a "x" / "y" a "y" / "z"',
    "5,000 sets that overlap": lambda: (
        "a = " + " / ".join(f"%x{n + 0x100:X}-{n + 0x2000:X} %x{n + 0x100:X}" for n in range(5_000))
    ),
    "counts of counts, in rules": lambda: chain(30, "r{} = 2*9r{}\n"),
    "900 ranges that overlap": lambda: (
        "a = *( "
        + " / ".join(f"%x{n * 7:X}-{n * 7 + 300:X}" for n in range(900))
        + ' )\nb = a "x" a'
    ),
    # what Lark would make large tables of
    "a chain of 150 repeated rules": lambda: chain(150, "r{} = *r{}\n"),
    "a chain that doubles 2,990 times": lambda: chain(2_990, "r{0} = r{1} r{1}\n"),
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
    "10,000 rules in a row": lambda: "a = " + "b c " * 5_000 + '\nb = "x" *DIGIT\nc = "y" *DIGIT',
    "20,000 times one rule in a row": lambda: "a = " + "b " * 20_000 + "\nb = *DIGIT [ b ]\n",
    "10,000 optional rules in a row": lambda: (
        "s = a / *DIGIT\na = " + "[ b ] [ c ] " * 5_000 + '\nb = "x" *DIGIT\nc = "y" *DIGIT'
    ),
    "30 letters to be remembered": lambda: (
        'a = "x" b / "y" b / "x" r0\nb = a\n'
        + chain(30, 'r{0} = "x" r{1} / "y" r{1}\n', 'r{} = "z"\n')
    ),
    "palindromes of 2,000 letters": lambda: (
        "a = " + " / ".join(f"%x{n:X} a %x{n:X}" for n in range(0x4E00, 0x4E00 + 2_000)) + ' / "x"'
    ),
    # texts
    "rules of one name but for its case": lambda: (
        'rule = "x"\nRule = "y"\nRULE =/ "z"\nrULE = rule\n' * 10_000
    ),
    "two rules that are added to by turns": lambda: (
        'a = "0"\nb = "0"\n' + "".join(f'a =/ "{n}"\nb =/ a "{n}"\n' for n in range(20_000))
    ),
    "ends of lines of every kind": lambda: (
        '\ufeffa = "x"\r\n\rb = a\r\n\0c = b\n\rd = c\r\r\n  / "y" \ufeff\r\n' * 10_000
    ),
    "bytes that are not characters": lambda: bytes(range(256)) * 4_000,
    "names of 100,000 characters": lambda: chain(5,
                                                 "n" * 100_000 + "{} = " + "n" * 100_000 + "{}\n"),
    "quotation marks in a comment": lambda: 'a = "x" ;' + '"<' * 400_000 + "\n",
    "counts from and to millions": lambda: 'a = 1000000*2000000"a"',
    # no grammars
    "nothing": lambda: "", "not ABNF": lambda: "int main(void) { return 0; }\n" * 1_000,
    "code in names": lambda: 'a = __import__("os").system("id")\nclass = "x"\nexec = class\n',
    "escapes of terminals": lambda: "a = \x1b[31m\x1b]0;title\x07\n",
    "all of Unicode": lambda: "a = *%x0-10FFFF\nb = %x110000\n",
    "braces and slashes": lambda: 'a = "/" "\\" "{" "}" %x27 %x0A "#{x}" "//" "|" "->"\n',
}  # fmt: skip
assert len(HOSTILE) >= 80


def octets(name):
    """Give a grammar as it is written to a file."""
    made = HOSTILE[name]()
    return made if isinstance(made, bytes) else made.encode()
