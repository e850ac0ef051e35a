"""An outsider who has an archive and `deploy/docs/formats.md` alone: draws the lots and pairs the rounds again.

Nothing of the product is imported. Words and order of the steps are those of the document's section "To the byte"."""

import hashlib
import hmac
import io
import json
import re
import uuid
import zipfile
from fractions import Fraction
from itertools import combinations, count, permutations
from pathlib import Path
from typing import Any

DOCUMENT = Path(__file__).parents[3] / "deploy" / "docs" / "formats.md"
THOUSANDS = {2: (1000, 100), 3: (1000, 100, 10), 4: (1000, 100, 10, 1)}
MEETING, FORBIDDEN = 2**40, 2**80


def events_of(archive: bytes) -> list[dict[str, Any]]:
    """The events of the tournament in an archive."""
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        for name in files.namelist():
            if name.endswith(".bundle.json"):
                events = [json.loads(text) for text in json.loads(files.read(name))["events"]]
                if events[0]["kind"] == "tournament_declared":
                    return events
    raise LookupError("no tournament")


def n4(number: int) -> bytes:
    return number.to_bytes(4, "big")


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def mac(key: bytes, *parts: bytes) -> bytes:
    return hmac.new(key, b"".join(parts), "sha256").digest()


def canonical(value: Any) -> bytes:
    """Returns canonical JSON of a document with integers only and ASCII keys."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def named(label: bytes, id: bytes, *numbers: int) -> str:
    """A UUID of version 8 out of a hash."""
    raw = bytearray(sha(label, id, *map(n4, numbers))[:16])
    raw[6] = 0x80 + raw[6] % 16
    raw[8] = 0x80 + raw[8] % 64
    return str(uuid.UUID(bytes=bytes(raw)))


class Lots:
    """Returns the draw from a seed for a purpose."""

    def __init__(self, seed: bytes, purpose: bytes) -> None:
        self.key = mac(seed, b"cabildo/lots/v1", purpose)
        self.drawn = 0

    def lot(self, player: str) -> bytes:
        return mac(self.key, b"player", player.encode())

    def order(self, players: Any) -> list[str]:
        return sorted(players, key=self.lot)

    def below(self, number: int) -> int:
        for attempt in count():
            word = int.from_bytes(mac(self.key, b"cabildo/draw/v1", n4(self.drawn), n4(attempt))[:8], "big")
            if word < 2**64 - 2**64 % number:
                self.drawn += 1
                return word % number
        raise AssertionError


def designs() -> list[tuple[int, int, int, int, list[list[int]]]]:
    """The rows of block designs, as the document has them."""
    row = re.compile(r"^\| (\d+) \| (\d) \| (\d+) \| (\d+) \| `([\d, ]+)` \|$", re.MULTILINE)
    return [
        (*map(int, found[:4]), [[int(x) for x in table.split(",")] for table in found[4].split()])  # type: ignore[misc]
        for found in row.findall(DOCUMENT.read_text("utf-8"))
    ]


class Outsider:
    """The tournament, read event by event."""

    def __init__(self, events: list[dict[str, Any]]) -> None:
        self.id = uuid.UUID(events[0]["stream"]).bytes
        self.old = events[0]["rules"] == "tournaments/1"  # a stand-in keeps the bye of the round
        self.player: dict[int, str] = {}
        self.joined: dict[int, int | None] = {}
        self.stages: list[dict[str, Any]] = []
        self.rounds: list[dict[str, Any]] = []
        self.rules: dict[str, Any] = {}
        self.wished: dict[tuple[int, int], str] = {}  # the hashes of wishes
        self.findings: list[tuple[Any, Any]] = []  # the statement and the computation
        self.seed = next(bytes.fromhex(e["data"]["seed"]) for e in events if e["kind"] == "tournament_closed")
        for event in events:
            getattr(self, event["kind"], lambda _event: None)(event)

    def check(self, stated: Any, computed: Any) -> None:
        self.findings.append((stated, computed))

    def tournament_declared(self, event: dict[str, Any]) -> None:
        self.rules = event["data"]["regulations"]

    def tournament_published(self, event: dict[str, Any]) -> None:
        data = event["data"]
        self.check(data["regulations"], sha(b"cabildo/regulations/v1\n", canonical(self.rules)).hex())
        self.check(data["commitment"], sha(b"cabildo/seed/v1", self.id, self.seed).hex())

    def entered(self, event: dict[str, Any]) -> None:
        data = event["data"]
        self.player[data["entrant"]] = data["player"]
        self.joined[data["entrant"]] = None if data["reserve"] else event["seq"]

    def stage_begun(self, event: dict[str, Any]) -> None:
        self.stages.append({"field": event["data"]["field"], "seq": event["seq"], "first": len(self.rounds)})

    def round_paired(self, event: dict[str, Any]) -> None:
        data = event["data"]
        at = (n4(data["round"]), n4(data["attempt"]))
        self.check(data["seed"], mac(self.seed, b"cabildo/pairing-seed/v1", self.id, *at).hex())
        self.check([data["byes"], data["tables"]], list(Pairing(self, data).made()))
        empty: dict[str, Any] = {"points": None, "places": [], "forfeited": [], "void": False}
        self.rounds.append(
            {
                **data,
                "byes": list(data["byes"]),
                "tables": [{**empty, "seats": list(seats)} for seats in data["tables"]],
            }
        )

    def seats_wished(self, event: dict[str, Any]) -> None:
        self.wished[event["data"]["round"], event["data"]["entrant"]] = event["data"]["wish"]

    def seats_given(self, event: dict[str, Any]) -> None:
        data = event["data"]
        current = self.rounds[data["round"] - 1]
        paired = current["tables"][data["table"] - 1]["seats"]
        for n, one in zip(paired, data["wishes"], strict=True):
            if one is not None:
                text = canonical(json.dumps(one["wish"]))
                made = sha(b"cabildo/text/v1\n", bytes.fromhex(one["salt"]), text)
                self.check(self.wished[data["round"], n], made.hex())
        wishes = {n: one["wish"] for n, one in zip(paired, data["wishes"], strict=True) if one is not None}
        if self.rules["stages"][data_stage(current)]["seats"] == "bids":
            seats = self.sold(paired, wishes, bytes.fromhex(current["seed"]))
        else:
            seats = chosen(paired, wishes)
        self.check(data["order"], seats)
        current["tables"][data["table"] - 1]["seats"] = data["order"]

    def sold(self, paired: list[int], bids: dict[int, list[int]], seed: bytes) -> list[int]:
        number = {self.player[n]: n for n in paired}
        drawn = [number[player] for player in Lots(seed, b"bids").order(number)]
        none = [0] * len(paired)
        ways = list(permutations(drawn))
        worth = [sum(bids.get(n, none)[seat] for seat, n in enumerate(way)) for way in ways]
        return list(ways[worth.index(max(worth))])

    def games_declared(self, event: dict[str, Any]) -> None:
        data = event["data"]
        at = (data["round"], self.rounds[data["round"] - 1]["attempt"])
        for row in data["games"]:
            self.check(row["game"], named(b"cabildo/table/v1", self.id, *at, row["table"]))
        self.check(data["deal"], named(b"cabildo/deal/v1", self.id, *at) if self.rules["duplicate"] else None)
        self.rounds[-1]["games"] = data

    def round_closed(self, event: dict[str, Any]) -> None:
        games, seed = self.rounds[-1]["games"], event["data"]["deal_seed"]
        if seed is not None:
            deal = uuid.UUID(games["deal"]).bytes
            for row in games["games"]:
                self.check(row["commitment"], sha(b"cabildo/seed/v1", deal, bytes.fromhex(seed)).hex())

    def substituted(self, event: dict[str, Any]) -> None:
        data = event["data"]
        current = self.rounds[data["round"] - 1]
        seats = current["tables"][data["table"] - 1]["seats"]
        seats[seats.index(data["entrant"])] = data["by"]
        if not self.old and data["by"] in current["byes"]:
            current["byes"].remove(data["by"])

    def result_recorded(self, event: dict[str, Any]) -> None:
        data = event["data"]
        self.rounds[data["round"] - 1]["tables"][data["table"] - 1].update(data)

    result_ruled = result_recorded

    def table_voided(self, event: dict[str, Any]) -> None:
        data = event["data"]
        self.rounds[data["round"] - 1]["tables"][data["table"] - 1]["void"] = True


def data_stage(current: dict[str, Any]) -> int:
    return int(current["stage"]) - 1


def chosen(paired: list[int], wishes: dict[int, list[int]]) -> list[int]:
    free, got = list(range(len(paired))), {}
    for n in paired:
        seat = next((seat for seat in wishes.get(n, []) if seat in free), free[-1])
        free.remove(seat)
        got[seat] = n
    return [got[seat] for seat in sorted(got)]


class Pairing:
    """One round, paired again."""

    def __init__(self, outsider: Outsider, data: dict[str, Any]) -> None:
        self.out, self.data = outsider, data
        self.stage = outsider.rules["stages"][data["stage"] - 1]
        begun = outsider.stages[data["stage"] - 1]
        self.before = outsider.rounds[begun["first"] :]
        late = [n for n, seq in outsider.joined.items() if data["stage"] == 1 and seq and seq > begun["seq"]]
        stood_in = [n for one in self.before for table in one["tables"] for n in table["seats"]]
        field = list(dict.fromkeys([*begun["field"], *late, *stood_in]))
        self.seeding = {n: at for at, n in enumerate(field, 1)}
        self.seed = bytes.fromhex(data["seed"])
        self.tables_lots = Lots(self.seed, b"tables")
        self.met: dict[frozenset[int], int] = {}
        self.sat: dict[int, list[int]] = {}
        self.small: dict[int, int] = {}
        self.byes: dict[int, int] = {}
        for one in outsider.rounds:
            self.remember(one)

    def remember(self, one: dict[str, Any]) -> None:
        largest = max(len(table["seats"]) for table in one["tables"])
        for table in (table for table in one["tables"] if not table["void"]):
            for pair in combinations(table["seats"], 2):
                self.met[frozenset(pair)] = self.met.get(frozenset(pair), 0) + 1
            for seat, n in enumerate(table["seats"]):
                self.sat.setdefault(n, []).append(seat)
                self.small[n] = self.small.get(n, 0) + (len(table["seats"]) < largest)
        for n in one["byes"]:
            self.byes[n] = self.byes.get(n, 0) + 1

    def points(self, n: int) -> Fraction:
        total = Fraction(0)
        for one in self.before:
            total += 1000 * (n in one["byes"])
            for table in one["tables"]:
                if n in table["seats"] and table["points"] is not None and not table["void"]:
                    total += self.place_points(table, table["seats"].index(n))
        return total

    def place_points(self, table: dict[str, Any], seat: int) -> Fraction:
        if seat in table["forfeited"]:
            return Fraction(0)
        keys = list(table["places"])
        if self.stage["ties"] == "seeding":
            keys = [(place, self.seeding[n]) for place, n in zip(keys, table["seats"], strict=True)]
        first, tied = sum(key < keys[seat] for key in keys), keys.count(keys[seat])
        return Fraction(sum(THOUSANDS[len(keys)][first : first + tied]), tied)

    def by_lot(self, lots: Lots, numbers: Any) -> list[int]:
        return sorted(numbers, key=lambda n: lots.lot(self.out.player[n]))

    def made(self) -> tuple[list[int], list[list[int]]]:
        """Byes and tables of the round."""
        present, kind = list(self.data["present"]), self.stage["format"]
        swiss = kind == "swiss" and bool(self.before)
        sizes, byes = self.divided(present, swiss)
        playing = [n for n in present if n not in byes]
        fixed = self.by_design(playing, sizes) if kind == "round_robin" else None
        if fixed is not None:
            return byes, [self.seated(table) for table in fixed]
        level: dict[int, int]
        if swiss:
            order, level, sizes = self.groups(playing, sizes)
            slots = [level[n] for n in order]
        else:
            order, level, slots = self.spread(playing, sizes)
        return byes, [self.seated(table) for table in Exchange(self, sizes, slots, level).run(order)]

    def divided(self, present: list[int], swiss: bool) -> tuple[list[int], list[int]]:
        for out in range(len(present)):
            sizes = fitting(len(present) - out, list(self.stage["sizes"]))
            if sizes:
                by_lot = self.by_lot(self.tables_lots, present)
                order = sorted(by_lot, key=lambda n: (self.byes.get(n, 0), self.points(n) if swiss else 0))
                return sorted(sizes, reverse=True), order[:out]
        raise AssertionError

    def spread(self, playing: list[int], sizes: list[int]) -> tuple[list[int], dict[int, int], list[int]]:
        drawn = self.by_lot(self.tables_lots, playing)
        if self.stage["draw"] != "balanced":
            return drawn, dict.fromkeys(drawn, 1), [1] * len(drawn)
        pots = [number for size in sizes for number in range(1, size + 1)]
        level = dict(zip(sorted(playing, key=self.seeding.__getitem__), sorted(pots), strict=True))
        waiting = {pot: [n for n in drawn if level[n] == pot] for pot in pots}
        return [waiting[pot].pop(0) for pot in pots], level, pots

    def groups(self, playing: list[int], sizes: list[int]) -> tuple[list[int], dict[int, int], list[int]]:
        scores = sorted({self.points(n) for n in playing}, reverse=True)
        level = {n: 1 + scores.index(self.points(n)) for n in playing}
        order = sorted(playing, key=lambda n: (level[n], self.tables_lots.lot(self.out.player[n])))

        def burden(laid: tuple[int, ...]) -> int:
            small = [size < max(laid) for size in laid for _ in range(size)]
            return sum(self.small.get(n, 0) ** 2 for n, is_small in zip(order, small, strict=True) if is_small)

        best = min(set(permutations(sizes)), key=lambda laid: (burden(laid), [-size for size in laid]))
        return order, level, list(best)

    def by_design(self, playing: list[int], sizes: list[int]) -> list[list[int]] | None:
        number, rounds = len(self.before), self.stage["rounds"]
        first = self.before[0] if self.before else self.data
        missing = len(sizes) * max(sizes) - len(playing)
        for players, size, length, m, row in designs():
            fits = rounds % length == 0 or (length * (size - 1) == players - 1 and rounds < length)
            if (players, size) == (len(playing) + missing, max(sizes)) and missing <= 1 and fits:
                drawn = self.by_lot(Lots(bytes.fromhex(first["seed"]), b"design"), playing)
                moved = [[x if x == players - 1 else x - x % m + (x + number) % m for x in table] for table in row]
                return sorted([[drawn[x] for x in table if x < len(drawn)] for table in moved], key=len, reverse=True)
        return None

    def seated(self, table: list[int]) -> list[int]:
        if self.stage["seats"] in ("choice", "bids"):
            return sorted(table, key=lambda n: (-self.points(n), self.seeding[n]))
        drawn = self.by_lot(Lots(self.seed, b"seats"), table)
        if self.stage["seats"] == "random":
            return drawn
        ways = list(permutations(drawn))
        often = [sum(self.sat.get(n, []).count(seat) for seat, n in enumerate(way)) for way in ways]
        return list(ways[often.index(min(often))])


class Exchange:
    """Players change places until nothing is better."""

    def __init__(self, pairing: Pairing, sizes: list[int], slots: list[int], level: dict[int, int]) -> None:
        self.pairing, self.level, self.slots = pairing, level, slots
        self.table = [number for number, size in enumerate(sizes) for _ in range(size)]
        self.is_small = [sizes[number] < max(sizes) for number in self.table]
        self.weight = 0 if pairing.stage["again"] == "allow" else MEETING

    def own(self, order: list[int], slot: int) -> int:
        n = order[slot]
        cost = (self.level[n] - self.slots[slot]) ** 2 + self.is_small[slot] * self.pairing.small.get(n, 0) ** 2
        for other, it in enumerate(order):
            if other != slot and self.table[other] == self.table[slot]:
                cost += self.weight * self.pairing.met.get(frozenset((n, it)), 0) ** 2
        return cost

    def whole(self, order: list[int]) -> int:
        return sum(self.own(order, slot) for slot in range(len(order)))

    def settle(self, order: list[int]) -> list[int]:
        changed = True
        while changed:
            changed = False
            for slot in range(len(order)):
                if self.own(order, slot) == 0:
                    continue
                best, chosen_ = self.whole(order), None
                for other in range(len(order)):
                    cost = self.whole(swapped(order, slot, other))
                    if self.table[other] != self.table[slot] and cost < best:
                        best, chosen_ = cost, other
                if chosen_ is not None:
                    order, changed = swapped(order, slot, chosen_), True
        return order

    def run(self, order: list[int]) -> list[list[int]]:
        order, tries = self.settle(order), 0
        lots, number = self.pairing.tables_lots, len(order)
        while self.whole(order) >= MEETING and tries < 40 and number <= 64:
            tried = list(order)
            for _ in range(2):
                tried = swapped(tried, lots.below(number), lots.below(number))
            tried = self.settle(tried)
            order, tries = (tried if self.whole(tried) < self.whole(order) else order), tries + 1
        places = list(zip(order, self.table, strict=True))
        return [[n for n, at in places if at == table] for table in sorted({*self.table})]


def swapped(order: list[int], one: int, other: int) -> list[int]:
    changed = list(order)
    changed[one], changed[other] = changed[other], changed[one]
    return changed


def fitting(players: int, sizes: list[int]) -> list[int] | None:
    """Tables of these sizes for so many players: the most of the first size, then of the second."""
    if not sizes:
        return [] if players == 0 else None
    for many in range(players // sizes[0], -1, -1):
        rest = fitting(players - many * sizes[0], sizes[1:])
        if rest is not None:
            return [sizes[0]] * many + rest
    return None
