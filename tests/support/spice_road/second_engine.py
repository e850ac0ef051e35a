"""A second engine of Spice Road, from the rules reference and its list of cards alone; imports no product code."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, permutations, product
from typing import Any, Final

# Section 2 and the list of cards: costs, gains and trades in the letters of the spices.
POINT_CARDS: Final = (
    "6:yyrr 7:yyyrr 8:yyrrr 8:yygg 8:rrrr 9:yyygg 9:yyrb 10:yybb 10:rrrrr 10:rrgg 11:yyybb 11:yyggg 12:yrgb 12:yggb "
    "12:rrrgg 12:rrgb 12:rrbb 12:gggg 13:yyrrgg 13:rrggg 14:yyyrgb 14:yybbb 14:rrrbb 14:ggbb 15:yyrrbb 15:ggggg "
    "16:yrrrgb 16:rrbbb 16:bbbb 17:yyggbb 17:gggbb 18:yrgggb 18:ggbbb 19:rrggbb 20:yrgbbb 20:bbbbb"
)
MERCHANTS: Final = (
    "yyy yr g yyyy yyr yg rr b 3 yy>g yy>rr r>yyy yyy>b yyy>rg yyy>rrr yr>b g>rr g>yrr g>yyyyr yyyy>gg yyyy>gb "
    "rr>yyyg rr>yyb rr>gg b>yyyg b>yyrr b>yrg b>rrr b>gg yyyyy>bb yyyyy>ggg yyg>bb rrr>yygg rrr>ygb rrr>bb rrr>ggg "
    "gg>yyrrr gg>yyrb gg>rrb gg>bb bb>yrggg bb>rrrgg ggg>bbb"
)
SPICES: Final = {"y": "turmeric", "r": "saffron", "g": "cardamom", "b": "cinnamon"}
STEPS: Final = ("y>r", "r>g", "g>b")
STARTS: Final = ("yyy", "yyyy", "yyyy", "yyyr", "yyyr")  # section 3 step 7
DEFAULTS: Final[Mapping[str, object]] = {
    "first_player": "random", "min_upgrade_steps": 0, "coin_taking": "automatic", "empty_rest": "reject",
    "cube_scoring": "non_turmeric", "hand_visibility": "open",
}  # fmt: skip
Meaning = tuple[Any, ...]  # a move without order of equals


def card_name(card: str) -> str:
    """The name of a merchant card in the notation."""
    if card.isdigit():
        return f"upgrade_{card}"
    return "trade_" + card.replace(">", "_") if ">" in card else f"get_{card}"


class Player:
    """The possessions of a seat."""

    def __init__(self, start: str) -> None:
        self.caravan = Counter(start)
        self.hand, self.played, self.claimed = ["create_2", "upgrade_2"], list[str](), list[str]()
        self.gold = self.silver = 0

    def score(self, *, every_cube: bool) -> int:
        """Section 9."""
        cubes = self.caravan.total() - (0 if every_cube else self.caravan["y"])
        return sum(int(card.split("_")[1]) for card in self.claimed) + 3 * self.gold + self.silver + cubes


class Engine:
    """A game followed by moves and draws; `turn` is the seat to act, None when the game is over."""

    def __init__(self, seats: int, options: Mapping[str, object], drawn: Sequence[str]) -> None:
        self.options = {**DEFAULTS, **options}
        self.players = [Player(start) for start in STARTS[:seats]]
        self.gold = self.silver = 2 * seats
        self.point_deck = {"points_" + card.replace(":", "_") for card in POINT_CARDS.split()}
        self.merchant_deck = {card_name(card) for card in MERCHANTS.split()}
        self.drawn = list(drawn)
        self.point_row = [self._draw(self.point_deck) for _ in range(5)]
        self.row = [(self._draw(self.merchant_deck), Counter[str]()) for _ in range(6)]
        self.turn: int | None = 0
        self.round, self.final, self.dropping = 1, False, False
        assert not self.drawn

    def _draw(self, deck: set[str]) -> str:
        card = self.drawn.pop(0)
        deck.remove(card)
        return card

    def moves(self) -> set[Meaning]:
        """All legal moves (sections 5 and 6)."""
        assert self.turn is not None
        player = self.players[self.turn]
        if self.dropping:
            return set(_drops(player.caravan))
        found: set[Meaning] = {("play", card, *words) for card in player.hand for words in self._plays(player, card)}
        found |= {("buy", place + 1, *paid) for place in range(len(self.row)) for paid in _payments(player, place)}
        if player.played or self.options["empty_rest"] == "allow":
            found.add(("rest",))
        for place, card in enumerate(self.point_row, 1):
            if player.caravan >= Counter(card.split("_")[2]):
                found.add(("claim", place))
                if self.options["coin_taking"] == "optional" and self._coin(place):
                    found.add(("claim", place, "-coin"))
        return found

    def _plays(self, player: Player, card: str) -> Iterator[tuple[str, ...]]:
        """Returns the moves with a card of the hand."""
        verb, *words = card.split("_")
        if verb == "trade":
            give = Counter(words[0])
            most = min(player.caravan[spice] // number for spice, number in give.items())
            yield from ((f"x{times}",) for times in range(1, most + 1))
        elif verb == "upgrade":
            for number in range(int(str(self.options["min_upgrade_steps"])), int(words[0]) + 1):
                for steps in combinations_with_replacement(sorted(STEPS), number):
                    if any(_upgraded(player.caravan, order) is not None for order in set(permutations(steps))):
                        yield steps
        else:
            yield ()

    def _coin(self, place: int) -> str:
        """The coin above a place (section 7)."""
        if place == 1:
            return "gold" if self.gold else "silver" if self.silver else ""
        return "silver" if place == 2 and self.gold and self.silver else ""

    def allows(self, text: str) -> bool:
        """Whether a text is a legal move; the steps of an upgrade are made in the order of the text (R-10)."""
        try:
            move = meaning(text)
        except (ValueError, IndexError):
            return False
        if self.turn is None or move not in self.moves():
            return False
        steps = text.split()[2:] if move[0] == "play" and move[1].startswith("upgrade") else []
        return _upgraded(self.players[self.turn].caravan, steps) is not None

    def enter(self, seat: int, text: str, drawn: Sequence[str]) -> None:
        """Make a move with the draws that the game recorded."""
        assert seat == self.turn
        assert self.allows(text), text
        self.drawn, move, player = list(drawn), meaning(text), self.players[seat]
        if move[0] == "play":
            self._play(player, *text.split()[1:])
        elif move[0] == "buy":
            self._buy(player, move[1] - 1, move[2:])
        elif move[0] == "rest":
            player.hand += player.played
            player.played = []
        elif move[0] == "claim":
            self._claim(player, move[1], coin="-coin" not in move)
        else:
            player.caravan -= Counter(dict(move[1]))
        self._end_turn(player)
        assert not self.drawn

    def _play(self, player: Player, card: str, *words: str) -> None:
        player.hand.remove(card)
        player.played.append(card)
        verb, *sides = card.split("_")
        if verb == "trade":
            for _ in range(int(words[0][1:])):
                player.caravan -= Counter(sides[0])
                player.caravan += Counter(sides[1])
        elif verb == "upgrade":
            player.caravan = _upgraded(player.caravan, words) or Counter()
        else:
            player.caravan += Counter("yy" if verb == "create" else sides[0])

    def _buy(self, player: Player, place: int, paid: Sequence[str]) -> None:
        for (_, cubes), spice in zip(self.row, paid, strict=False):
            cubes[spice] += 1
        player.caravan -= Counter(paid)
        card, cubes = self.row.pop(place)
        player.hand.append(card)
        player.caravan += cubes
        if self.merchant_deck:
            self.row.append((self._draw(self.merchant_deck), Counter()))

    def _claim(self, player: Player, place: int, *, coin: bool) -> None:
        kind = self._coin(place) if coin else ""
        card = self.point_row.pop(place - 1)
        player.caravan -= Counter(card.split("_")[2])
        player.claimed.append(card)
        self.gold -= kind == "gold"
        self.silver -= kind == "silver"
        player.gold += kind == "gold"
        player.silver += kind == "silver"
        self.point_row.append(self._draw(self.point_deck))
        self.final |= len(player.claimed) == (6 if len(self.players) < 4 else 5)

    def _end_turn(self, player: Player) -> None:
        """Sections 6 and 8."""
        self.dropping = player.caravan.total() > 10
        if self.dropping or self.turn is None:
            return
        last = self.turn == len(self.players) - 1
        self.turn = None if last and self.final else (self.turn + 1) % len(self.players)
        self.round += last and not self.final

    def places(self) -> list[int]:
        """Section 9 and R-26: by points, then by the later seat."""
        every_cube = self.options["cube_scoring"] == "all"
        ranked = [(player.score(every_cube=every_cube), seat) for seat, player in enumerate(self.players)]
        return [1 + sum(other > own for other in ranked) for own in ranked]

    def document(self) -> dict[str, Any]:
        """The table in the form of a position document."""
        decision = "caravan_limit" if self.dropping else "action"
        return {
            "options": self.options,
            "round": self.round,
            "final_round": self.final,
            "turn": None if self.turn is None else {"seat": self.turn, "decision": decision},
            "gold": self.gold,
            "silver": self.silver,
            "point_row": self.point_row,
            "point_deck": sorted(self.point_deck),
            "merchant_row": [{"card": card, "cubes": _named(cubes)} for card, cubes in self.row],
            "merchant_deck": sorted(self.merchant_deck),
            "players": [
                {
                    "caravan": _named(player.caravan),
                    "hand": sorted(player.hand),
                    "played": sorted(player.played),
                    "point_cards": player.claimed,
                    "gold": player.gold,
                    "silver": player.silver,
                }
                for player in self.players
            ],
        }


def meaning(text: str) -> Meaning:
    """Returns a move as text with equals sorted. Raises ValueError or IndexError for other text."""
    verb, *words = text.split()
    if verb == "play":
        return verb, words[0], *sorted(words[1:])
    if verb in ("buy", "claim"):
        cubes = words[1].split(",") if verb == "buy" and len(words) == 2 else words[1:]
        return verb, int(words[0]), *cubes
    if verb == "drop":
        amounts = dict(word.split("=") for word in words)
        if len(amounts) < len(words):
            raise ValueError(text)
        return verb, frozenset((spice, int(number)) for spice, number in amounts.items())
    return verb, *words


def _upgraded(caravan: Counter[str], steps: Sequence[str]) -> Counter[str] | None:
    """The caravan after these steps, one after the other; None if one of them is impossible."""
    after = Counter(caravan)
    for step in steps:
        if step not in STEPS or not after[step[0]]:
            return None
        after[step[0]] -= 1
        after[step[2]] += 1
    return +after


def _payments(player: Player, cards: int) -> Iterator[tuple[str, ...]]:
    """One cube on each card to the left, in their order."""
    kinds = sorted(+player.caravan)
    return (paid for paid in product(kinds, repeat=cards) if Counter(paid) <= player.caravan)


def _drops(caravan: Counter[str]) -> Iterator[Meaning]:
    """Every choice of the cubes that do not fit."""
    kinds = sorted(+caravan)
    for numbers in product(*(range(caravan[spice] + 1) for spice in kinds)):
        if sum(numbers) == caravan.total() - 10:
            told = zip(kinds, numbers, strict=True)
            yield "drop", frozenset((spice, number) for spice, number in told if number)


def _named(cubes: Counter[str]) -> dict[str, int]:
    return {name: cubes[letter] for letter, name in SPICES.items()}
