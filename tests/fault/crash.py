"""What a crash may leave of a folder, from the log that shim.c writes.

The model is that of a disk with sectors of 512 bytes under a file system that promises no more than POSIX: what was
synced is there. Of what was not, any sector may be the old or the new one, a file may have its old or its new size, and
a name may be there or not unless its folder was synced.
"""

import os
import struct

LINE = struct.Struct("<IIIIQQQ")
SECTOR = 512


class Step:
    __slots__ = ("kind", "first", "second", "inode", "offset", "data", "end")


def read_log(path):
    """The steps, each with the offset in the log at which it ends."""
    with open(path, "rb") as file:
        text = file.read()
    steps, at = [], 0
    while at < len(text):
        step = Step()
        kind, first, second, _, step.inode, step.offset, size = LINE.unpack_from(text, at)
        at += LINE.size
        step.kind = chr(kind)
        step.first = text[at:at + first].decode()
        step.second = text[at + first:at + first + second].decode()
        at += first + second
        step.data = text[at:at + size]
        at += size
        step.end = at
        steps.append(step)
    return steps


class File:
    def __init__(self, synced=b""):
        self.synced = synced
        self.steps = []  # since then

    def now(self):
        data = bytearray(self.synced)
        for step in self.steps:
            apply(data, step, lambda: True)
        return bytes(data)

    def sync(self):
        if self.steps:
            self.synced = self.now()
            self.steps = []

    def after_crash(self, chance, share):
        data = bytearray(self.synced)
        sizes = [len(data)]
        for step in self.steps:
            apply(data, step, lambda: chance.random() < share)
            sizes.append(step.offset if step.kind == "T" else max(sizes[-1], step.offset + len(step.data)))
        if len(sizes) > 1 and chance.random() < 0.5:
            resize(data, chance.choice(sizes))
        return bytes(data)


def resize(data, size):
    if size <= len(data):
        del data[size:]
    else:
        data.extend(bytes(size - len(data)))


def apply(data, step, survives):
    if step.kind == "T":
        if survives():
            resize(data, step.offset)
        return
    at = 0
    while at < len(step.data):
        begin = step.offset + at
        part = step.data[at:at + SECTOR - begin % SECTOR]
        if survives():
            if len(data) < begin + len(part):
                resize(data, begin + len(part))
            data[begin:begin + len(part)] = part
        at += len(part)


class Disk:
    """A folder as it was, and what happened to it since."""

    def __init__(self, folder, kept):
        """The files of `kept` are what `folder` had when the log began, with the inodes of `folder`."""
        self.folder = folder
        self.names = {}  # synced
        self.name_steps = []
        self.inodes = {}
        for name, (inode, data) in kept.items():
            self.names[name] = self.inodes[inode] = File(data)

    def step(self, step):
        if step.kind == "C":
            file = self.inodes[step.inode] = File()
            if step.first:
                self.name_steps.append(("set", step.first, file, None))
        elif step.kind in "WT":
            self.inodes[step.inode].steps.append(step)
        elif step.kind == "S":
            if step.first == self.folder:
                for name_step in self.name_steps:
                    change_name(self.names, name_step)
                self.name_steps = []
            elif step.inode in self.inodes:
                self.inodes[step.inode].sync()
        elif step.kind == "R":
            self.name_steps.append(("set", step.second, self.inodes[step.inode], step.first))
        elif step.kind == "L":
            self.name_steps.append(("set", step.first, self.inodes[step.inode], None))
        elif step.kind == "U":
            self.name_steps.append(("remove", step.first, None, None))
        elif step.kind == "M":
            # SQLite makes the shared memory anew after a crash; nothing else may be changed behind our back.
            assert step.first.endswith("-shm"), f"{step.first} is written through memory"
        else:
            raise AssertionError(f"a step of the kind {step.kind}")

    def after_crash(self, chance):
        """What may be there, by path."""
        share = chance.choice([0.0, 0.5, 0.9, 1.0, chance.random()])
        of_names = chance.choice([0.0, 0.5, 1.0, chance.random()])
        names = dict(self.names)
        steps = self.name_steps
        if chance.random() < 0.5:  # most file systems keep the order of names
            steps = steps[:chance.randint(0, len(steps))]
            of_names = 1.0
        for step in steps:
            if chance.random() < of_names:
                change_name(names, step)
        return {name: file.after_crash(chance, share) for name, file in names.items()}


def change_name(names, step):
    what, name, file, before = step
    if what == "remove":
        names.pop(name, None)
        return
    names[name] = file
    if before is not None and names.get(before) is file:
        del names[before]


def write_files(files, folder, target):
    """Puts them from below `folder` into `target`."""
    for path, data in files.items():
        with open(os.path.join(target, os.path.relpath(path, folder)), "wb") as file:
            file.write(data)
