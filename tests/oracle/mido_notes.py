"""What the MIDI reader mido finds in files: one JSON line per file with its notes [onset, duration, MIDI number] in
quarters, its time signatures [onset, "3/4"] and key signatures [onset, "Bb"].   mido_notes.py FILE..."""

import collections
import json
import os
import sys

import mido


def notes_of(track, quarter):
    now = 0
    down = collections.defaultdict(list)
    found, times, keys = [], [], []
    for message in track:
        now += message.time
        if message.type == "note_on" and message.velocity > 0:
            down[message.channel, message.note].append(now)
        elif message.type in ("note_on", "note_off"):
            began = down[message.channel, message.note].pop(0)
            found.append([began / quarter, (now - began) / quarter, message.note])
        elif message.type == "time_signature":
            times.append([now / quarter, f"{message.numerator}/{message.denominator}"])
        elif message.type == "key_signature":
            keys.append([now / quarter, message.key])
    assert not any(down.values()), "a note that never ends"
    return found, times, keys


for name in sys.argv[1:]:
    file = mido.MidiFile(name, charset="utf-8")
    notes, times, keys = [], [], []
    for one_track in file.tracks:
        for whole, part in zip((notes, times, keys), notes_of(one_track, file.ticks_per_beat)):
            whole.extend(part)
    notes.sort(key=lambda note: (note[0], -note[2]))
    print(json.dumps({"file": os.path.basename(name), "loaded": True, "notes": notes, "graces": [], "times": times,
                      "keys": keys}))
