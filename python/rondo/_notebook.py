"""What notebooks show of melodies, hits and alignments: staves as SVG, lists as tables.

Verovio's Python package engraves if it is installed; otherwise there is a simple staff of our own.
"""

import dataclasses
import html
import importlib
import math

_SPACE = 10  # between two lines of a staff
_MOST_NOTES = 120
_LETTERS = "CDEFGAB"
_COLOURS = {"match": "#2a7f3f", "differs": "#b3541e", "only a": "#5b6abf", "only b": "#5b6abf", "flow": "#2a7f3f"}
_SIGNS = {"#": "\u266f", "##": "\u00d7", "b": "\u266d", "bb": "\u266d\u266d", "bbb": "\u266d\u266d\u266d",
          "###": "\u266f\u00d7"}
# Drawn, as few machines have a font with clefs: the treble clef around its G, the bass clef with its dots around the F.
_CLEFS = {
    False: '<path d="M13 33C9 34 7 30 9 27C12 23 19 25 19 30C19 37 10 39 6 34C1 27 6 20 11 14C16 8 17 3 15 -4C14 -8 11 -7 '
           '10 -2C9 5 13 36 15 46C16 51 10 53 7 49"/>',
    True: '<circle cx="8" cy="10" r="2.2" fill="currentColor"/><path d="M6 10C6 -2 20 -3 20 10C20 21 12 28 5 31"/>'
          '<circle cx="25" cy="5" r="1" fill="currentColor"/><circle cx="25" cy="15" r="1" fill="currentColor"/>',
}


def _place(name):
    """Steps above C0, and the sign of the accidental: (28, "") for C4."""
    octave = name.lstrip("ABCDEFG#bx")
    accidental = name[1 : len(name) - len(octave)]
    return 7 * int(octave) + _LETTERS.index(name[0]), accidental


def staff_svg(melody, colours=None, label=""):
    """A staff with the notes of the melody's first voice; `colours` maps numbers of notes to colours."""
    notes = list(zip(melody.notes, melody.spelling))[:_MOST_NOTES]
    places = [_place(name) for _, name in notes]
    middle = sum(place for place, _ in places) / len(places) if places else 34
    bass = middle < 27
    bottom = 18 if bass else 30  # G2, E4: the lowest line
    shapes, x = [], 34.0
    highest, lowest = bottom + 8, bottom
    for number, (((_, duration, _), name), (place, accidental)) in enumerate(zip(notes, places)):
        colour = (colours or {}).get(number, "currentColor")
        length = float(duration)
        y = _SPACE / 2 * (bottom + 8 - place)
        highest, lowest = max(highest, place), min(lowest, place)
        if accidental:
            sign = html.escape(_SIGNS.get(accidental, accidental))
            shapes.append(f'<text x="{x:.1f}" y="{y + 4:.1f}" font-size="13" fill="{colour}">{sign}</text>')
            x += 9
        for ledger in list(range(bottom + 10, place + 1, 2)) + list(range(bottom - 2, place - 1, -2)):
            line = _SPACE / 2 * (bottom + 8 - ledger)
            shapes.append(f'<path d="M{x - 3:.1f} {line}h17" stroke="currentColor"/>')
        fill = "none" if length >= 0.5 else colour
        shapes.append(f'<ellipse cx="{x + 5.5:.1f}" cy="{y}" rx="5.5" ry="4" transform="rotate(-18 {x + 5.5:.1f} {y})" '
                      f'fill="{fill}" stroke="{colour}" stroke-width="1.3"><title>{html.escape(name)} {duration}'
                      "</title></ellipse>")
        if length < 1:
            up = place < bottom + 4
            stem = x + (10.6 if up else 0.4)
            end = y - 30 if up else y + 30
            shapes.append(f'<path d="M{stem:.1f} {y}V{end}" stroke="{colour}" stroke-width="1.3"/>')
            flags = max(0, min(4, math.ceil(-math.log2(length) - 2 - 1e-9))) if length > 0 else 0
            for flag in range(flags):
                at = end + (6 * flag if up else -6 * flag)
                shapes.append(f'<path d="M{stem:.1f} {at}q6 {4 if up else -4} 6 {12 if up else -12}" fill="none" '
                              f'stroke="{colour}" stroke-width="1.3"/>')
        dotted = length > 0 and abs(math.log2(length / 1.5) - round(math.log2(length / 1.5))) < 1e-9
        if dotted:
            shapes.append(f'<circle cx="{x + 15:.1f}" cy="{y - 2}" r="1.6" fill="{colour}"/>')
        x += 20 + 8 * max(0.0, math.log2(max(length, 1 / 64)) + 3) + (4 if dotted else 0)
    if len(melody.notes) > _MOST_NOTES:
        shapes.append(f'<text x="{x:.0f}" y="{2 * _SPACE + 5}" fill="currentColor">...</text>')
        x += 24
    lines = "".join(f'<path d="M0 {_SPACE * i}H{x:.0f}" stroke="currentColor" stroke-opacity=".6"/>' for i in range(5))
    clef = f'<g fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round">{_CLEFS[bass]}</g>'
    above = max(40, _SPACE / 2 * (highest - bottom - 8) + 16)
    below = max(30, _SPACE / 2 * (bottom - lowest) + 36)
    height = above + 4 * _SPACE + below
    title = html.escape(label or melody.title or melody.id or "melody")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{x:.0f}" height="{height:.0f}" '
            f'viewBox="0 {-above:.0f} {x:.0f} {height:.0f}" style="max-width:100%;height:auto" role="img" '
            f'font-family="serif"><title>{title}</title>'
            f"{lines}{clef}{''.join(shapes)}</svg>")


def _engraved(melody):
    """By Verovio; None where it is not installed or cannot."""
    try:
        verovio = importlib.import_module("verovio")
    except ImportError:
        return None
    try:
        toolkit = verovio.toolkit()
        toolkit.setOptions({"adjustPageHeight": True, "header": "none", "footer": "none", "scale": 40})
        if not toolkit.loadData(melody.write("mei")):
            return None
        return toolkit.renderToSVG(1)
    except Exception:  # whatever an engraver does not take, our own staff shows
        return None


def melody_svg(melody):
    """The melody as a staff, for notebooks."""
    if not len(melody):
        return None
    return _engraved(melody) or staff_svg(melody)


_HIT_FIELDS = ["rank", "score", "probability", "id", "voice", "title", "composer", "duplicates"]


def _row(cells, tag="td"):
    return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"


def _cells(hit):
    values = {name: getattr(hit, name) for name in _HIT_FIELDS}
    values["score"] = f"{hit.score:.4f}"
    values["probability"] = "" if hit.probability is None else f"{hit.probability:.1%}"
    return list(values.values())


def hit_html(hit):
    """A hit as a table of one row."""
    return f"<table>{_row(_HIT_FIELDS, 'th')}{_row(_cells(hit))}</table>"


def hits_html(hits):
    """All hits as a table."""
    return f"<table>{_row(_HIT_FIELDS, 'th')}{''.join(_row(_cells(hit)) for hit in hits)}</table>"


def alignment_html(alignment):
    """The two melodies one under the other; colours say which notes were aligned."""
    above, below = {}, {}
    for step in alignment.steps:
        for number in range(step.a.start, step.a.stop):
            above.setdefault(number, _COLOURS[step.kind])
        for number in range(step.b.start, step.b.stop):
            below.setdefault(number, _COLOURS[step.kind])
    kinds = [kind for kind in _COLOURS if any(step.kind == kind for step in alignment.steps)]
    legend = ", ".join(f'<span style="color:{_COLOURS[kind]}">{kind}</span>' for kind in kinds)
    return (f"<div><p>{html.escape(alignment.summary)}: {alignment.score:.4f}</p>"
            f"<div>{staff_svg(alignment.a, above, 'a')}</div><div>{staff_svg(alignment.b, below, 'b')}</div>"
            f"<p>{legend}</p></div>")


def install(module):
    """Gives the classes of the compiled part what notebooks ask for."""
    module.Melody._repr_svg_ = melody_svg
    module.Hit._repr_html_ = hit_html
    module.Alignment._repr_html_ = alignment_html
    # pandas makes columns of what has the fields of a dataclass.
    kinds = [int, float, float, str, int, str, str, int]
    module.Hit.__dataclass_fields__ = dataclasses.make_dataclass(
        "Hit", list(zip(_HIT_FIELDS, kinds))).__dataclass_fields__
