#!/usr/bin/env python3
"""Checks the melodies in data/demo without any of Rondo's own code.

A second, much smaller reader for just the part of Plaine & Easie Code and ABC that the collection uses: whatever it
does not know is an error, so the files stay plain. Every finding is printed as FILE:RECORD:BAR: message.

  tools/check_demo.py                 the whole collection, with its promised size
  tools/check_demo.py --half          some of the files: the totals are not asked for
  tools/check_demo.py --show ID       what one record sounds like, for proof-reading
"""

import argparse
import re
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

MELODIES = 200
FAMILIES = 30
NOTES = range(8, 201)
WIDEST_LEAP = 16  # semitones; more is nearly always a forgotten octave mark
STEPS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
PAE_VALUES = {"1": 1, "2": 2, "4": 4, "8": 8, "6": 16, "3": 32}


class Fault(Exception):
    """Something the small readers do not know."""


@dataclass
class Note:
    midi: int
    letter: str
    length: Fraction


@dataclass
class Bar:
    length: Fraction = Fraction(0)
    filled: bool = False
    repeat: bool = False  # a repeat sign or double line ends it
    measure: Fraction = Fraction(0)  # what the time signature asks for


@dataclass
class Melody:
    file: str
    id: str
    title: str = ""
    composer: str = ""
    year: str = ""
    family: str = ""
    variant: str = ""
    measure: Fraction = Fraction(0)
    bars: list = field(default_factory=list)
    notes: list = field(default_factory=list)  # grace notes left out, ties merged
    faults: list = field(default_factory=list)  # (bar or None, message)

    def fault(self, message, bar=None):
        self.faults.append((bar, message))


class Score:
    """Bars and notes as a reader meets them."""

    def __init__(self, melody):
        self.melody = melody
        self.bar = Bar()
        self.alters = {}
        self.tie_from = None

    @property
    def number(self):
        return len(self.melody.bars) + 1

    def add(self, length):
        self.bar.length += length
        self.bar.filled = True

    def note(self, letter, midi, length, grace):
        if grace:
            return
        if self.tie_from is not None:
            if self.tie_from.midi != midi:
                raise Fault(f"a tie leads from {self.tie_from.midi} to another pitch, {midi}")
            self.tie_from.length += length
            self.tie_from = None
        else:
            self.melody.notes.append(Note(midi, letter, length))
        self.add(length)

    def tie(self):
        if not self.melody.notes:
            raise Fault("a tie without a note before it")
        self.tie_from = self.melody.notes[-1]

    def line(self, repeat):
        if self.bar.filled:
            self.bar.repeat = repeat
            self.bar.measure = self.melody.measure
            self.melody.bars.append(self.bar)
        elif repeat and self.melody.bars:
            self.melody.bars[-1].repeat = True
        self.bar = Bar()
        self.alters = {}

    def end(self):
        self.line(False)
        if self.tie_from is not None:
            raise Fault("a tie leads nowhere")


def measure_of(text):
    text = text.strip()
    if text in ("c", "C"):
        return Fraction(1)
    if text in ("c/", "C|"):
        return Fraction(1)
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if not found:
        raise Fault(f"time signature '{text}'")
    return Fraction(int(found[1]), int(found[2]))


# Plaine & Easie Code


class Pae:
    TOKEN = re.compile(
        r"(?P<octave>'+|,+)|(?P<value>\d+\.*)|(?P<alter>xx|bb|x|b|n)|(?P<letter>[A-G])|(?P<rest>-)"
        r"|(?P<line>://:|://|//:|//|/)|(?P<tie>\+)|(?P<trill>t)|(?P<grace>[gq])|(?P<close>;\d+\)|\))|(?P<open>\()"
        r"|(?P<beam>[{}])|(?P<time>@\d+/\d+ )"
    )
    ALTERS = {"x": 1, "xx": 2, "b": -1, "bb": -2, "n": 0}

    def __init__(self, melody, keysig):
        self.score = Score(melody)
        self.signature = self.read_signature(keysig)
        self.octave = 4
        self.value = None
        self.alter = None
        self.grace = None
        self.tuplet = None  # [total, sum of written values, notes inside]

    @staticmethod
    def read_signature(text):
        order = {"x": "FCGDAEB", "b": "BEADGCF"}
        if not text:
            return {}
        if text[0] not in order or not order[text[0]].startswith(text[1:]):
            raise Fault(f"key signature '{text}'")
        return {letter: Pae.ALTERS[text[0]] for letter in text[1:]}

    def read(self, data):
        at = 0
        while at < len(data):
            found = self.TOKEN.match(data, at)
            if not found:
                raise Fault(f"sign '{data[at:at + 8]}'")
            getattr(self, "do_" + found.lastgroup)(found.group())
            at = found.end()
        if self.tuplet:
            raise Fault("a group is not closed")
        self.score.end()

    def do_octave(self, text):
        self.octave = 3 + len(text) if text[0] == "'" else 4 - len(text)

    def do_value(self, text):
        digits = text.rstrip(".")
        if digits not in PAE_VALUES:
            raise Fault(f"note value '{text}'")
        length = Fraction(1, PAE_VALUES[digits])
        dots = len(text) - len(digits)
        self.value = length * (2 - Fraction(1, 2**dots))
        if self.grace == "q":
            self.grace = "q-valued"

    def do_alter(self, text):
        self.alter = self.ALTERS[text]

    def do_letter(self, text):
        score = self.score
        if self.alter is not None:
            score.alters[text] = self.alter
        alter = score.alters.get(text, self.signature.get(text, 0))
        if score.tie_from is not None and self.alter is None and score.tie_from.letter == text:
            midi = score.tie_from.midi  # an accidental holds on over the bar line under a tie
        else:
            midi = 12 * (self.octave + 1) + STEPS[text] + alter
        self.alter = None
        self.place(lambda length, grace: score.note(text, midi, length, grace))

    def do_rest(self, _):
        self.place(lambda length, grace: self.score.add(length))

    def place(self, put):
        if self.value is None and not self.grace:
            raise Fault("a note before any value")
        if self.grace == "q":
            raise Fault("an appoggiatura without its value")
        if self.grace:
            put(Fraction(0), True)
            self.value = None if self.grace == "q-valued" else self.value  # ask for the value anew
            self.grace = None
            return
        length = self.value
        if self.tuplet:
            self.tuplet[1] += length
            self.tuplet[2].append((put, length))
        else:
            put(length, False)

    def do_line(self, text):
        if self.tuplet:
            raise Fault("a bar line inside a group")
        self.score.line(text != "/")

    def do_tie(self, _):
        self.score.tie()

    def do_trill(self, _):
        pass

    def do_beam(self, _):
        pass

    def do_time(self, text):
        if self.score.bar.filled:
            raise Fault("the time signature changes inside a bar")
        self.score.melody.measure = measure_of(text[1:])

    def do_grace(self, text):
        self.grace = text

    def do_open(self, _):
        if self.tuplet or self.value is None:
            raise Fault("a group inside a group or without its total")
        self.tuplet = [self.value, Fraction(0), []]

    def do_close(self, text):
        if not self.tuplet:
            raise Fault("a group closes that was not opened")
        total, written, inside = self.tuplet
        if text == ")" and len(inside) == 1:
            raise Fault("fermatas are not used here")
        count = int(text.strip(";)") or 3)
        if count != len(inside) and written / count != inside[0][1]:
            raise Fault(f"a group of {count} with {len(inside)} notes")
        self.tuplet = None
        for put, length in inside:
            put(length * total / written, False)
        self.value = None  # the next note must say its value


def read_pae(path):
    for number, text in enumerate(re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip()), 1):
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        if not lines:
            continue
        melody = Melody(path.name, f"record {number}")
        fields = {}
        for line in lines:
            found = re.fullmatch(r"@(\w+):(.*)", line)
            if not found:
                melody.fault(f"no field: {line}")
            elif found[1] in fields:
                melody.fault(f"@{found[1]} is there twice")
            else:
                fields[found[1]] = found[2].strip()
        known = "id title composer year family variant clef keysig timesig key data".split()
        for name in set(fields) - set(known):
            melody.fault(f"unknown field @{name}")
        for name in ("clef", "keysig", "timesig", "key", "data"):
            if name not in fields:
                melody.fault(f"no @{name}")
        for name in ("id", "title", "composer", "year", "family", "variant"):
            setattr(melody, name, fields.get(name) or getattr(melody, name))
        try:
            melody.measure = measure_of(fields.get("timesig", ""))
            Pae(melody, fields.get("keysig", "")).read(fields.get("data", ""))
        except Fault as fault:
            melody.fault(f"not understood: {fault}", len(melody.bars) + 1)
        yield melody


# ABC


class Abc:
    TOKEN = re.compile(
        r"(?P<space>[ \t]+|\\$)|(?P<line>::|:\|:|:\||\|:|\|\]|\|\||\[\||\|)|(?P<ending>\[?[12](?=[ A-Ga-gz^_=({])|\[[12])"
        r"|(?P<inline>\[[A-Z]:[^\]]*\])|(?P<text>\"[^\"]*\")|(?P<deco>![^!]*!|[~.uvTHLMOPSJR])"
        r"|(?P<grace>\{[^}]*\})|(?P<tuplet>\(\d(?::\d*){0,2})|(?P<slur>[()])|(?P<broken>>+|<+)"
        r"|(?P<note>(?P<alter>\^\^|\^|__|_|=)?(?P<letter>[A-Ga-g])(?P<octave>[',]*)(?P<nlen>[0-9]*(?:/+[0-9]*)?))"
        r"|(?P<rest>[zx](?P<rlen>[0-9]*(?:/+[0-9]*)?))|(?P<tie>-)"
    )
    ALTERS = {"^": 1, "^^": 2, "_": -1, "__": -2, "=": 0}
    MODES = {"": 0, "maj": 0, "ion": 0, "m": -3, "min": -3, "aeo": -3, "dor": -2, "mix": -1, "lyd": 1, "phr": -4, "loc": -5}
    # How many notes of a tuplet take the time of how many; others depend on the metre and are not used.
    TUPLETS = {2: 3, 3: 2, 4: 3, 6: 2}

    def __init__(self, melody):
        self.score = Score(melody)
        self.melody = melody
        self.unit = None
        self.signature = {}
        self.tuplet = None  # [ratio, notes left]
        self.broken = None  # factor for the next note
        self.last = None  # (length as put, the note or None): a broken rhythm reaches back to it

    def set_key(self, text):
        found = re.match(r"([A-G])([#b]?)\s*([A-Za-z]*)", text.strip())
        if not found:
            raise Fault(f"key '{text}'")
        mode = found[3].lower()
        mode = mode if mode == "m" else mode[:3]
        if mode not in self.MODES:
            raise Fault(f"mode '{found[3]}'")
        fifths = "FCGDAEB".index(found[1]) - 1 + {"": 0, "#": 7, "b": -7}[found[2]] + self.MODES[mode]
        sharp = fifths > 0
        order = "FCGDAEB" if sharp else "BEADGCF"
        self.signature = {letter: 1 if sharp else -1 for letter in order[: abs(fifths)]}

    def set_metre(self, text):
        self.melody.measure = measure_of(text)
        if self.unit is None:
            self.unit = Fraction(1, 8) if self.melody.measure >= Fraction(3, 4) else Fraction(1, 16)

    def set_unit(self, text):
        self.unit = measure_of(text)

    def field(self, name, value):
        {"K": self.set_key, "M": self.set_metre, "L": self.set_unit}.get(name, lambda _: None)(value)

    def read(self, line):
        at = 0
        while at < len(line):
            found = self.TOKEN.match(line, at)
            if not found:
                raise Fault(f"sign '{line[at:at + 8]}'")
            kind = next(k for k in ("space", "line", "ending", "inline", "text", "deco", "grace", "tuplet", "slur",
                                    "broken", "note", "rest", "tie") if found[k] is not None)
            if kind == "line":
                self.score.line(found["line"] != "|")
            elif kind == "inline":
                self.field(found["inline"][1], found["inline"][3:-1])
            elif kind == "tuplet":
                self.open_tuplet(found["tuplet"])
            elif kind == "broken":
                self.break_rhythm(found["broken"])
            elif kind == "note":
                self.note(found)
            elif kind == "rest":
                self.put(None, None, self.length(found["rlen"]))
            elif kind == "tie":
                self.score.tie()
            at = found.end()

    def open_tuplet(self, text):
        parts = text[1:].split(":")
        count = int(parts[0])
        time = int(parts[1]) if len(parts) > 1 and parts[1] else self.TUPLETS.get(count)
        if not time:
            raise Fault(f"tuplet '{text}'")
        over = int(parts[2]) if len(parts) > 2 and parts[2] else count
        self.tuplet = [Fraction(time, count), over]

    def break_rhythm(self, text):
        if self.last is None:
            raise Fault(f"'{text}' without a note before it")
        short = Fraction(1, 2 ** len(text))
        first, second = (2 - short, short) if text[0] == ">" else (short, 2 - short)
        length, note = self.last
        change = length * first - length
        self.score.bar.length += change
        if note:
            note.length += change
        self.broken = second

    def length(self, text):
        found = re.fullmatch(r"(\d*)(/*)(\d*)", text)
        top = int(found[1] or 1)
        below = int(found[3]) if found[3] else 2 ** len(found[2])
        return self.unit * Fraction(top, below)

    def note(self, found):
        letter = found["letter"].upper()
        if found["alter"]:
            self.score.alters[letter] = self.ALTERS[found["alter"]]
        alter = self.score.alters.get(letter, self.signature.get(letter, 0))
        octave = (5 if found["letter"].islower() else 4) + found["octave"].count("'") - found["octave"].count(",")
        midi = 12 * (octave + 1) + STEPS[letter] + alter
        if self.score.tie_from is not None and not found["alter"] and self.score.tie_from.letter == letter:
            midi = self.score.tie_from.midi
        self.put(letter, midi, self.length(found["nlen"]))

    def put(self, letter, midi, length):
        if self.tuplet:
            length *= self.tuplet[0]
            self.tuplet[1] -= 1
            if self.tuplet[1] == 0:
                self.tuplet = None
        if self.broken is not None:
            length *= self.broken
            self.broken = None
        if letter is None:
            self.score.add(length)
            self.last = (length, None)
        else:
            self.score.note(letter, midi, length, False)
            self.last = (length, self.melody.notes[-1])

    def end(self):
        if self.tuplet or self.broken is not None:
            raise Fault("a tuplet or broken rhythm lacks notes")
        self.score.end()


def read_abc(path):
    text = path.read_text(encoding="utf-8")
    starts = [found.start() for found in re.finditer(r"^X:", text, re.M)]
    for number, start in enumerate(starts, 1):
        end = starts[number] if number < len(starts) else len(text)
        melody = Melody(path.name, f"record {number}")
        reader = Abc(melody)
        body = False
        composer = origin = ""
        try:
            for line in text[start:end].splitlines():
                line = line.strip()
                if line.startswith("%%rondo-id"):
                    melody.id = line[len("%%rondo-id"):].strip() or melody.id
                    continue
                named = re.match(r"%%rondo-field (year|family|variant) (.+)", line)
                if named:
                    setattr(melody, named[1], named[2].strip())
                    continue
                line = line.split("%")[0].rstrip()
                found = re.match(r"([A-Za-z]):(.*)", line)
                if not found:
                    if body and line:
                        reader.read(line)
                    continue
                name, value = found[1], found[2].strip()
                if name == "T" and not melody.title:
                    melody.title = value
                elif name == "C":
                    composer = value
                elif name == "O":
                    origin = value
                elif name == "G":
                    melody.family = value
                elif name == "N" and re.match(r"(variant|year):", value):
                    note, _, text_of_note = value.partition(":")
                    setattr(melody, note, text_of_note.strip())
                else:
                    reader.field(name, value)
                body = body or name == "K"
            reader.end()
        except Fault as fault:
            melody.fault(f"not understood: {fault}", len(melody.bars) + 1)
        melody.composer = composer or origin
        yield melody


# What is asked of them


def check_bars(melody):
    """Every bar fills its measure; the outermost may be shorter, and so may two that meet at a repeat sign."""
    bars = melody.bars
    pickup = bars[0].length if bars else Fraction(0)
    begins_after_repeat = True
    for index, bar in enumerate(bars):
        number = index + 1
        outermost = index in (0, len(bars) - 1)
        measure = bar.measure or melody.measure
        if bar.length == measure:
            pass
        elif bar.length > measure:
            melody.fault(f"{bar.length} in a measure of {measure}", number)
        elif not outermost:
            after = bars[index + 1].length
            partners = {pickup, after} if bar.repeat else {bars[index - 1].length} if begins_after_repeat else set()
            if all(bar.length + other != measure for other in partners):
                melody.fault(f"{bar.length} in a measure of {measure}", number)
        begins_after_repeat = bar.repeat


def check_melody(melody):
    check_bars(melody)
    for name in ("title", "composer", "year"):
        if not getattr(melody, name):
            melody.fault(f"no {name}")
    if melody.family and not melody.variant:
        melody.fault("a member of a family without @variant")
    if melody.variant and not melody.family:
        melody.fault("a variant without a family")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", melody.id):
        melody.fault("an id is lower case words and numbers joined by hyphens")
    if len(melody.notes) not in NOTES:
        melody.fault(f"{len(melody.notes)} notes")
    for before, after in zip(melody.notes, melody.notes[1:]):
        if abs(after.midi - before.midi) > WIDEST_LEAP:
            melody.fault(f"a leap of {abs(after.midi - before.midi)} semitones: is an octave mark missing?")


def intervals(melody):
    return [after.midi - before.midi for before, after in zip(melody.notes, melody.notes[1:])]


def rhythm(melody):
    return [note.length / melody.notes[0].length for note in melody.notes]


def check_families(melodies):
    """A variant called plainly 'transposed' is its family's original on another pitch, note for note."""
    for melody in melodies:
        if not re.match(r"transposed( (up|down|to|by|from)\b.*)?$", melody.variant):
            continue
        originals = [m for m in melodies if m.family == melody.family and m.variant.startswith("original")]
        same = [m for m in originals if intervals(m) == intervals(melody) and rhythm(m) == rhythm(melody)]
        if not same:
            melody.fault("called transposed, but it is not the original's melody")
        elif any(m.notes[0].midi == melody.notes[0].midi for m in same):
            melody.fault("called transposed, but it stands at the original's pitch")


def check_collection(melodies, half):
    faults = []
    seen = {}
    for melody in melodies:
        if melody.id in seen:
            melody.fault(f"this id is in {seen[melody.id]} too")
        seen[melody.id] = melody.file
    families = {}
    for melody in melodies:
        if melody.family:
            families.setdefault(melody.family, []).append(melody)
    for members in families.values():
        if len(members) < 2:
            members[0].fault(f"the family {members[0].family} has no other member")
    real = sum(len(members) >= 2 for members in families.values())
    if not half and len(melodies) < MELODIES:
        faults.append(f"{len(melodies)} melodies; {MELODIES} are promised")
    if not half and real < FAMILIES:
        faults.append(f"{real} families; {FAMILIES} are promised")
    members = sum(len(m) for m in families.values())
    return faults, f"{len(melodies)} melodies, {real} families with {members} members"


def show(melody):
    print(f"{melody.id}: {melody.title} ({melody.variant or 'no family'}), {len(melody.notes)} notes")
    print("bars     ", " ".join(str(bar.length) for bar in melody.bars))
    print("notes    ", " ".join(f"{n.letter}{n.midi}:{n.length}" for n in melody.notes))
    print("intervals", " ".join(f"{i:+d}" for i in intervals(melody)))


def main():
    parser = argparse.ArgumentParser(description="Checks the melodies of the demonstration collection.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent / "data" / "demo")
    parser.add_argument("--half", action="store_true", help="do not ask for the promised totals")
    parser.add_argument("--show", metavar="ID", help="print the notes of one record")
    options = parser.parse_args()

    melodies = []
    for path in sorted(options.folder.glob("*.pae")):
        melodies += read_pae(path)
    for path in sorted(options.folder.glob("*.abc")):
        melodies += read_abc(path)
    if options.show:
        found = [melody for melody in melodies if melody.id == options.show]
        for melody in found:
            show(melody)
        return 0 if found else 1

    for melody in melodies:
        check_melody(melody)
    check_families(melodies)
    faults, summary = check_collection(melodies, options.half)
    for melody in melodies:
        for bar, message in melody.faults:
            place = f"bar {bar}" if bar else "-"
            print(f"{melody.file}:{melody.id}:{place}: {message}")
    for fault in faults:
        print(fault)
    print(summary)
    return 1 if faults or any(melody.faults for melody in melodies) else 0


if __name__ == "__main__":
    sys.exit(main())
