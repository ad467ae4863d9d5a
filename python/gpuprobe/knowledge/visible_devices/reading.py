"""One reading of a value: each rule of the driver, with one answer to each open question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts.version import Version
from . import entries
from .model import Doubt, Entry, Fate, Kind, Target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .listing import Listing

#: From this driver on a MIG instance has a UUID of its own (MIG-UG, "MIG device names").
_MIG_UUIDS = Version("470.42.01")
#: From this branch on a program gets several instances (MIG-UG, "CUDA visible devices").
_SEVERAL_INSTANCES = Version("570")
#: The last branch on which a repetition was seen to empty the list (torch-test).
_REPETITIONS_SEEN = 525


class Reading:
    """Reads one value, once.

    `otherwise` are the open questions that get the less likely answer. `asked` are those that
    came up, so that the caller can try them the other way.
    """

    def __init__(
        self, listing: Listing | None, driver: Version | None, otherwise: frozenset[Doubt]
    ) -> None:
        self._driver, self._otherwise = driver, otherwise
        self.asked: set[Doubt] = set()
        self._named_before: set[Target | str | int] = set()
        self._listing = listing if listing is None else self._listed(listing)

    def _listed(self, listing: Listing) -> Listing:
        """What there is to name; before branch 570 instances may hide whole GPUs."""
        several = self._driver is not None and self._driver >= _SEVERAL_INSTANCES
        hides = not several and listing.is_mixed and self._is_otherwise(Doubt.MIG_BESIDE)
        return listing.without_whole_gpus() if hides else listing

    def _is_otherwise(self, doubt: Doubt) -> bool:
        self.asked.add(doubt)
        return doubt in self._otherwise

    # -- the list ---------------------------------------------------------------------------

    def unset(self) -> tuple[Target, ...] | None:
        """All devices: what CUDA shows where the variable is not set."""
        if self._listing is None:
            return None
        last = self._listing.is_mixed and self._is_otherwise(Doubt.MIG_ORDER)
        every = self._listing.targets(instances_last=last)
        held = self._held_back(every, whole_machine=True)
        return tuple(target for target in every if target not in held)

    def read(self, value: str) -> tuple[Entry, ...]:
        """What becomes of each entry, the rules of MIG not yet applied."""
        found: list[Entry] = []
        texts = iter(value.split(","))
        for text in texts:
            found.append(self._entry(text, found))
            if found[-1].fate.ends:
                break
        return (*found, *(Entry(text, _kind(text), Fate.UNREAD) for text in texts))

    def _entry(self, text: str, before: Sequence[Entry]) -> Entry:
        written = self._as_written(text)
        kind = _kind(written)
        if written == "" and self._is_passed_over(before):
            return Entry(text, kind, Fate.LEFT_OUT)
        if self._is_of_another_kind(kind, before):
            return Entry(text, kind, Fate.OTHER_KIND)
        number = self._number(written) if kind is Kind.NUMBER else None
        named = self._named(written, kind, number)
        target = None if isinstance(named, Fate) else named
        fate = named if isinstance(named, Fate) else Fate.VISIBLE
        if not fate.ends and self._is_repeated(target or (written if number is None else number)):
            fate = Fate.LEFT_OUT if self._drops_repetitions() else Fate.DUPLICATE
        return Entry(text, kind, fate, number, target)

    def _is_passed_over(self, before: Sequence[Entry]) -> bool:
        """An empty first entry is the end of every list; of a later one nothing is known."""
        return bool(before) and self._is_otherwise(Doubt.EMPTY_ENTRY)

    def _is_of_another_kind(self, kind: Kind, before: Sequence[Entry]) -> bool:
        first = before[0].kind if before else kind
        if kind is first:
            return False
        if Kind.NUMBER in (kind, first):
            return True
        several = self._driver is None or self._driver >= _SEVERAL_INSTANCES
        return not (several and self._is_otherwise(Doubt.MIG_MIXED))

    def _is_repeated(self, name: Target | str | int) -> bool:
        """Whether an entry before it names the same device; where none is known, by that name."""
        repeated = name in self._named_before
        self._named_before.add(name)
        return repeated

    def _drops_repetitions(self) -> bool:
        seen = self._driver is not None and self._driver.major <= _REPETITIONS_SEEN
        return not seen and self._is_otherwise(Doubt.DUPLICATE)

    # -- one entry --------------------------------------------------------------------------

    def _as_written(self, text: str) -> str:
        bare = entries.without_blanks(text)
        if bare != text and self._is_otherwise(Doubt.BLANKS):
            text = bare
        usual = entries.in_usual_case(text)
        if usual != text and self._is_otherwise(Doubt.CASE):
            text = usual
        return text

    def _number(self, text: str) -> int | None:
        number = entries.number(text)
        other = entries.number(text, any_base=True)
        return other if other != number and self._is_otherwise(Doubt.BASE) else number

    def _named(self, text: str, kind: Kind, number: int | None) -> Target | Fate:
        """The device that an entry names, or why it names none."""
        if kind is Kind.GPU:
            return self._gpu(text)
        if kind is Kind.MIG:
            return self._mig(text)
        if number is None:
            return _no_number(text)
        if number < 0:
            return Fate.NEGATIVE
        if number >= entries.TOO_LARGE:
            return Fate.OUT_OF_RANGE
        if self._listing is None:
            return Fate.UNCHECKED
        has_mig = self._listing.has_mig
        return self._listing.by_number(
            number,
            counts_instances=has_mig and self._is_otherwise(Doubt.MIG_NUMBERS),
            instances_last=self._listing.is_mixed and self._is_otherwise(Doubt.MIG_ORDER),
        )

    def _gpu(self, text: str) -> Target | Fate:
        found = Fate.UNCHECKED if self._listing is None else self._listing.by_uuid(text)
        is_split = isinstance(found, Target) and found.instance is not None
        return Fate.NO_INSTANCE if is_split and self._is_otherwise(Doubt.MIG_PARENT) else found

    def _mig(self, text: str) -> Target | Fate:
        old = entries.old_mig_name(text)
        before = self._driver is not None and self._driver < _MIG_UUIDS
        if old is None and before:
            return Fate.UNKNOWN_UUID
        if old is not None and not before and self._is_otherwise(Doubt.OLD_MIG_NAME):
            return Fate.UNKNOWN_UUID
        whole = entries.is_whole(text if old is None else old[0])
        if not whole and not self._is_otherwise(Doubt.SHORT_MIG):
            return Fate.UNKNOWN_UUID
        if self._listing is None:
            return Fate.UNCHECKED
        return (
            self._listing.by_instance_uuid(text) if old is None else self._listing.by_old_name(*old)
        )

    # -- the rules of MIG ---------------------------------------------------------------------

    def visible(self, found: Sequence[Entry]) -> tuple[Entry, ...]:
        """The entries, once those instances are held back that a program does not get."""
        targets = [each.target for each in found if each.fate is Fate.VISIBLE and each.target]
        held = self._held_back(targets, whole_machine=False)
        return tuple(
            Entry(each.text, each.kind, Fate.HELD_BACK, each.number, each.target)
            if each.fate is Fate.VISIBLE and each.target in held
            else each
            for each in found
        )

    def _held_back(self, targets: Sequence[Target], *, whole_machine: bool) -> set[Target]:
        """Before branch 570 all but one instance; since then all but one of each GPU instance."""
        instances = [target for target in targets if target.instance is not None]
        if not instances or (len(targets) == 1 and not whole_machine):
            return set()
        if self._driver is None:
            single = self._is_otherwise(Doubt.MIG_LIMIT)
        else:
            single = self._driver < _SEVERAL_INSTANCES
        if single:
            return {target for target in targets if target != instances[0]}
        first: dict[tuple[int, int | None], Target] = {}
        for target in instances:
            first.setdefault(self._gpu_instance(target), target)
        return {target for target in instances if target not in first.values()}

    def _gpu_instance(self, target: Target) -> tuple[int, int | None]:
        """What a GPU instance is known by; an instance without numbers is one of its own."""
        if self._listing is None or target.instance is None:
            return target.gpu, None
        number = self._listing.gpus[target.gpu].instances[target.instance].gpu_instance
        return target.gpu, -1 - target.instance if number is None else number


def _kind(text: str) -> Kind:
    if entries.is_gpu(text):
        return Kind.GPU
    return Kind.MIG if entries.is_mig(text) else Kind.NUMBER


def _no_number(text: str) -> Fate:
    if not text.strip(entries.BLANKS):
        return Fate.EMPTY
    return Fate.QUOTED if entries.is_quoted(text) else Fate.WORD
