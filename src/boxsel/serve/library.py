"""The knowledge bases that a worker keeps at hand, with what it learned about them."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from boxsel.formats.registry import format_named, recognise
from boxsel.formats.source import Source, decompress
from boxsel.logic.kb import KB
from boxsel.serve.limits import MIB
from boxsel.serve.problems import ProblemError

if TYPE_CHECKING:
    from boxsel.answer.ask import Asker, Estimation
    from boxsel.exact.reasoner import Reasoner
    from boxsel.sampling import Coverage

Asked = Mapping[str, Any]
"""A request: what its model in `requests` describes, as plain values."""

KEPT: Final = 16
"""How many knowledge bases a worker keeps."""

_OPTIONS: Final = ("kb", "format", "confidence", "interval", "simultaneous", "rounded")


@dataclass(frozen=True, eq=False)
class Entry:
    """A knowledge base, what its counts promise, and whoever answers questions about it."""

    kb: KB
    coverage: Coverage | None = None

    def asker(self, estimate: Estimation) -> Asker:
        """Answers questions from proofs, all by one reasoner, and from ensembles."""
        from boxsel.answer.ask import Asker

        return Asker(self.kb, estimate=estimate, reasoner=self._reasoner)

    def reasoner(self, seconds: float) -> Reasoner:
        """The exact reasoner, which remembers what it found, with so many seconds from now on."""
        reasoner = self._reasoner
        reasoner.budget.seconds = seconds
        reasoner.budget.renew()
        return reasoner

    @cached_property
    def _reasoner(self) -> Reasoner:
        from boxsel.exact.reasoner import Reasoner
        from boxsel.machine.budget import Budget

        return Reasoner(self.kb, budget=Budget())


class Library:
    """Reads the knowledge bases of requests, and keeps those that were asked about last.

    Nothing is ever opened by a name that is in a request: the text itself is in it.

    Examples:
        >>> library = Library(statements=10)
        >>> asked = {"kb": "(B | A)[0.2]", "format": "sel"}
        >>> library.entry(asked) is library.entry(asked)
        True
    """

    def __init__(self, statements: int, unpacked: int = 64 * MIB, kept: int = KEPT) -> None:
        self._statements, self._unpacked, self._kept = statements, unpacked, kept
        self._entries: OrderedDict[str, Entry] = OrderedDict()

    def entry(self, asked: Asked) -> Entry:
        """The knowledge base that a request is about, with its assumptions."""
        plain = {option: asked.get(option) for option in _OPTIONS}
        entry = self._recalled(plain) or self._keep(plain, self._read(asked))
        assumptions = list(asked.get("assume") or ())
        if not assumptions:
            return entry
        supposed = {**plain, "assume": assumptions}
        return self._recalled(supposed) or self._keep(supposed, self._assumed(entry, assumptions))

    def forget(self) -> None:
        """Give all memory back."""
        self._entries.clear()

    def read(self, data: bytes, name: str | None) -> KB:
        """A knowledge base from the bytes of a file, in a format or in the one that they show."""
        source = self.unpack(data)
        chosen = format_named(name) if name else recognise(source)
        return self.limited(chosen.codec.read(source))

    def unpack(self, data: bytes) -> Source:
        """The bytes of a file; if compressed, bounded: a small file can unpack to any size."""
        most = self._unpacked
        plain = decompress(data, "", most)
        if max(len(plain), _archived(plain)) > most:
            raise ProblemError(
                "request-too-large",
                f"the file unpacks to more than {most // MIB:,} MiB: send a smaller one",
                limit=most,
            )
        return Source("", plain)

    def limited(self, kb: KB) -> KB:
        """A knowledge base, unless it has too many statements."""
        if len(kb) > self._statements:
            raise ProblemError(
                "too-many-statements",
                f"the knowledge base has {len(kb):,} statements; this server takes at most"
                f" {self._statements:,}: send the part that the question is about",
                limit=self._statements,
            )
        return kb

    def _read(self, asked: Asked) -> Entry:
        kb = self.read(str(asked["kb"]).encode(), asked.get("format"))
        if asked.get("rounded") is not None:
            from boxsel.precision import read_rounded

            kb, _ = read_rounded(kb, str(asked["rounded"]))
        if asked.get("confidence") is None:
            return Entry(kb)
        from boxsel.sampling import Reading, read_counts

        reading = Reading(
            asked["confidence"],
            asked.get("interval") or "clopper-pearson",
            bool(asked.get("simultaneous")),
        )
        return Entry(*read_counts(kb, reading))

    def _assumed(self, entry: Entry, assumptions: list[str]) -> Entry:
        from boxsel.answer.assumptions import assumed

        return Entry(self.limited(assumed(entry.kb, assumptions)), entry.coverage)

    def _recalled(self, wanted: Asked) -> Entry | None:
        key = fingerprint(wanted)
        if key not in self._entries:
            return None
        self._entries.move_to_end(key)
        return self._entries[key]

    def _keep(self, wanted: Asked, entry: Entry) -> Entry:
        self._entries[fingerprint(wanted)] = entry
        while len(self._entries) > self._kept:
            self._entries.popitem(last=False)
        return entry


def _archived(data: bytes) -> int:
    """How large the parts of an archive say they are, as workbooks are some; else 0."""
    if not data.startswith(b"PK"):
        return 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return sum(part.file_size for part in archive.infolist())
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        return 0  # whoever reads it says what is wrong


def fingerprint(asked: Asked) -> str:
    """What tells one request from another."""
    spelt = json.dumps(asked, sort_keys=True, default=str)
    return hashlib.sha256(spelt.encode()).hexdigest()
