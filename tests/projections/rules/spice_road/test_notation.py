"""Moves as text: canonical text and moves are one to one, and other spellings are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.rules.errors import UnreadableMove
from projections.rules.spice_road.cards import MERCHANT
from projections.rules.spice_road.moves import KINDS, Buy, Claim, Drop, Move, PlaySpice, PlayTrade, PlayUpgrade, Rest
from tests.support.spice_road.tables import GAME


def cards(kind: str) -> st.SearchStrategy[str]:
    return st.sampled_from([card.id for card in MERCHANT.values() if card.kind == kind])


counts = st.integers(0, 60)
moves: st.SearchStrategy[Move] = st.one_of(
    st.builds(PlaySpice, cards("spice")),
    st.builds(PlayUpgrade, cards("upgrade"), st.text("yrg", max_size=3)),
    st.builds(PlayTrade, cards("trade"), st.integers(1, 10)),
    st.builds(Buy, st.integers(1, 6), st.text("yrgb", max_size=5)),
    st.just(Rest()),
    st.builds(Claim, st.integers(1, 5), st.booleans()),
    st.builds(Drop, st.tuples(counts, counts, counts, counts).filter(any)),
)


@given(moves)
def test_a_move_is_its_text(move: Move) -> None:
    text = GAME.notation(move)
    assert GAME.parse(text) == move
    assert type(GAME.parse(text)) is type(move)
    assert text.isascii()
    assert text == " ".join(text.lower().split())


@given(moves, st.booleans(), st.integers(1, 3))
def test_case_and_spaces_do_not_matter(move: Move, upper: bool, spaces: int) -> None:
    text = GAME.notation(move).replace(" ", " " * spaces)
    assert GAME.parse(f" {text.upper() if upper else text}\t") == move


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("play upgrade_2 y>g", "play upgrade_2 y>r r>g"),
        ("play upgrade_3 y>b", "play upgrade_3 y>r r>g g>b"),
        ("play upgrade_2 turmeric>saffron, saffron -> cardamom", "play upgrade_2 y>r r>g"),
        ("play trade_yy_g", "play trade_yy_g x1"),
        ("play trade_yy_g 3", "play trade_yy_g x3"),
        ("play trade_yy_g 3x", "play trade_yy_g x3"),
        ("acquire 4 yyr", "buy 4 y,y,r"),
        ("buy 4 y y r", "buy 4 y,y,r"),
        ("buy 4 turmeric, turmeric, saffron", "buy 4 y,y,r"),
        ("drop yrr", "drop y=1 r=2"),
        ("drop r=2, y=1", "drop y=1 r=2"),
        ("drop saffron=1 r=1 y=1 b=0", "drop y=1 r=2"),
        ("claim 02", "claim 2"),
    ],
)
def test_other_spellings_are_read(spelling: str, canonical: str) -> None:
    assert GAME.notation(GAME.parse(spelling)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pass",
        "play",
        "play points_6_yyrr",
        "play get_yyyyy",
        "play create_2 x2",
        "play upgrade_2 y",
        "play upgrade_2 r>y",
        "play upgrade_2 y>y",
        "play upgrade_2 y>r>g",
        "play trade_yy_g x",
        "play trade_yy_g x-1",
        "buy",
        "buy one",
        "buy -1",
        "buy 3 y=1",
        "buy 3 y,,",
        "rest now",
        "claim",
        "claim 1 coin",
        "claim 1 - coin",
        "drop",
        "drop y=",
        "drop y=-1",
        "drop y=0",
        "drop y=1000000000000000000000",
        "résт",
        "rest\N{NO-BREAK SPACE}",
        "drop " + "y" * 300,
    ],
)
def test_what_is_not_a_move_is_refused_with_what_is_expected(text: str) -> None:
    with pytest.raises(UnreadableMove) as refused:
        GAME.parse(text)
    assert refused.value.expected


@given(st.text(max_size=40) | st.from_regex(r"(play|buy|drop|claim|rest)[ yrgb=>,x0-9_-]{0,20}", fullmatch=True))
def test_any_text_is_a_move_or_unreadable(text: str) -> None:
    try:
        move = GAME.parse(text)
    except UnreadableMove:
        return
    assert type(move) in KINDS
    assert GAME.parse(GAME.notation(move)) == move
