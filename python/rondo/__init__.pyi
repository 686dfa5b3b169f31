"""Types of the Python module; what everything does is in the docstrings and in docs/python.md."""

from fractions import Fraction
from os import PathLike
from typing import Any, Callable, Iterable, Iterator, Literal, Mapping, Sequence, Union, overload

import numpy as np
import numpy.typing as npt

__version__: str

# For the stub alone: the module has no such names.
_Path = Union[str, PathLike[str]]
_Time = Union[int, float, str, Fraction]
_Notes = Union[Iterable[tuple[_Time, _Time, int]], npt.NDArray[Any]]
_MelodyLike = Union["Melody", str]
_Settings = Mapping[str, float]
_Run = Mapping[str, Mapping[str, float]]
_TruthLike = Union[Mapping[str, Mapping[str, float]], Mapping[str, Sequence[Sequence[str]]]]

class Error(Exception):
    code: str
    message: str
    place: str
    hint: str

class Melody:
    def __init__(
        self,
        notes: _Notes,
        *,
        id: str = "",
        title: str = "",
        composer: str = "",
        source: str = "",
        unit: _Time = 1,
    ) -> None: ...
    @staticmethod
    def from_arrays(
        onset: npt.ArrayLike,
        duration: npt.ArrayLike,
        pitch: npt.ArrayLike,
        *,
        id: str = "",
        title: str = "",
        composer: str = "",
        source: str = "",
        unit: _Time = 1,
    ) -> Melody: ...
    @staticmethod
    def from_pae(text: str, id: str = "") -> Melody: ...
    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def composer(self) -> str: ...
    @property
    def format(self) -> str: ...
    @property
    def metadata(self) -> dict[str, Any]: ...
    @property
    def onset(self) -> npt.NDArray[np.float64]: ...
    @property
    def duration(self) -> npt.NDArray[np.float64]: ...
    @property
    def pitch(self) -> npt.NDArray[np.int64]: ...
    @property
    def notes(self) -> list[tuple[Fraction, Fraction, int]]: ...
    @property
    def spelling(self) -> list[str]: ...
    @property
    def voices(self) -> list[Melody]: ...
    def write(self, format: str) -> Union[str, bytes]: ...
    def __len__(self) -> int: ...

class Step:
    @property
    def kind(self) -> str: ...
    @property
    def a(self) -> slice: ...
    @property
    def b(self) -> slice: ...
    @property
    def score(self) -> float: ...

class Alignment:
    @property
    def score(self) -> float: ...
    @property
    def total(self) -> float: ...
    @property
    def summary(self) -> str: ...
    @property
    def steps(self) -> list[Step]: ...

class Hit:
    @property
    def rank(self) -> int: ...
    @property
    def score(self) -> float: ...
    @property
    def id(self) -> str: ...
    @property
    def voice(self) -> int: ...
    @property
    def title(self) -> str: ...
    @property
    def composer(self) -> str: ...
    @property
    def duplicates(self) -> int: ...
    @property
    def probability(self) -> Union[float, None]: ...

class Collection:
    def __init__(self, path: _Path, mode: Literal["read", "write", "create"] = "read") -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Collection: ...
    def __exit__(self, *args: object) -> None: ...
    def __len__(self) -> int: ...
    def __contains__(self, id: str) -> bool: ...
    def __getitem__(self, id: str) -> Melody: ...
    def __iter__(self) -> Iterator[str]: ...
    def ids(self, where: str = "") -> list[str]: ...
    def get(self, id: str) -> Melody: ...
    def put(self, melody: Melody) -> Literal["added", "updated", "unchanged"]: ...
    def remove(self, id: str) -> bool: ...
    def import_files(
        self, *paths: _Path, strict: bool = False, progress: Union[Callable[[int, int, int], None], None] = None
    ) -> dict[str, Any]: ...
    def search(
        self,
        query: Union[_MelodyLike, None] = None,
        system: str = "rondo",
        k: int = 10,
        *,
        id: Union[str, None] = None,
        settings: Union[_Settings, None] = None,
        where: str = "",
        text: str = "",
        min_notes: int = 0,
        anchored: bool = False,
        fold: bool = False,
        ignore_repeated: bool = False,
        fold_octaves: bool = False,
        graces: bool = False,
        quick: bool = False,
        expand: bool = False,
        threads: int = 0,
    ) -> list[Hit]: ...
    def run(
        self,
        queries: Iterable[Melody],
        system: str = "rondo",
        k: int = 100,
        *,
        settings: Union[_Settings, None] = None,
        where: str = "",
        keep_self: bool = False,
        threads: int = 0,
    ) -> dict[str, dict[str, float]]: ...
    def features(self, where: str = "") -> dict[str, Any]: ...

class Truth(dict[str, dict[str, float]]):
    complete: bool
    query_excluded: bool
    collection_size: int
    def __init__(
        self,
        queries: Any = (),
        *,
        complete: bool = False,
        query_excluded: bool = False,
        collection_size: int = 0,
    ) -> None: ...

def read(source: Union[_Path, bytes], *, strict: bool = False, voices: str = "all") -> list[Melody]: ...
def convert(
    source: Union[_Path, bytes], format: str, *, strict: bool = False, voices: str = "all"
) -> list[Union[str, bytes]]: ...
def systems() -> list[dict[str, Any]]: ...
def similarity(
    a: _MelodyLike, b: _MelodyLike, system: str = "rondo", *, settings: Union[_Settings, None] = None
) -> float: ...
def scores(
    query: _MelodyLike,
    melodies: Iterable[_MelodyLike],
    system: str = "rondo",
    *,
    settings: Union[_Settings, None] = None,
    threads: int = 0,
) -> npt.NDArray[np.float64]: ...
def matrix(
    melodies: Iterable[_MelodyLike],
    system: str = "rondo",
    *,
    settings: Union[_Settings, None] = None,
    threads: int = 0,
    mirrored: bool = False,
) -> npt.NDArray[np.float64]: ...
def align(
    a: _MelodyLike, b: _MelodyLike, system: str = "rondo", *, settings: Union[_Settings, None] = None
) -> Alignment: ...
@overload
def features(melodies: _MelodyLike) -> dict[str, Any]: ...
@overload
def features(melodies: Iterable[_MelodyLike]) -> dict[str, Any]: ...
def read_run(path: _Path) -> dict[str, dict[str, float]]: ...
def write_run(run: _Run, path: _Path, tag: str = "rondo") -> None: ...
def read_truth(path: _Path, *, qrels: bool = False) -> Truth: ...
def write_truth(truth: _TruthLike, path: _Path, form: Literal["groups", "qrels", "json"] = "groups") -> None: ...
def truth_from_labels(labels: Mapping[str, Union[str, None]]) -> Truth: ...
def truth_from_votes(
    votes: Iterable[tuple[str, str, str, float]],
    *,
    rule: Literal["paper", "all", "any", "previous"] = "paper",
    threshold: float = 0.25,
) -> Truth: ...
def measures() -> list[dict[str, Any]]: ...
@overload
def evaluate(
    truth: _TruthLike, run: _Run, measures: Union[str, Sequence[str], None] = None, *, per_query: Literal[False] = False
) -> dict[str, float]: ...
@overload
def evaluate(
    truth: _TruthLike, run: _Run, measures: Union[str, Sequence[str], None] = None, *, per_query: Literal[True]
) -> dict[str, dict[str, float]]: ...
def compare(truth: _TruthLike, runs: Mapping[str, _Run], measure: str = "ADR") -> dict[str, Any]: ...
