"""Free text stands beside the events: bound by a salted hash, erased without a trace of what it said."""

import hashlib
import json

from hypothesis import given
from hypothesis import strategies as st
from psycopg import Connection

from events.store.free_texts import erase, keep, read_texts, salted, text_hash
from events.store.postgres import PostgresStore
from tests.support.events.examples import a_game, a_stream


@given(text=st.text(st.characters(codec="utf-8")))
def test_the_hash_binds_the_text_and_its_salt(text: str) -> None:
    """Recomputed from the published recipe: prefix, 32 bytes of salt, the text as JSON."""
    one, other = salted(text), salted(text)
    written = json.dumps(text, ensure_ascii=False).encode()
    assert one.hash == hashlib.sha256(b"cabildo/text/v1\n" + one.salt + written).digest()
    assert len(one.salt) == 32
    assert one.hash != other.hash
    assert text_hash(one.salt, text + "!") != one.hash


def test_a_text_is_kept_in_the_transaction_of_its_event(event_store: PostgresStore, service: Connection) -> None:
    events, text = a_game(0), salted("a good game – ¡olé!")
    stream = events[0].stream
    event_store.append(stream, 0, events, also=[keep(stream, text)])
    assert read_texts(service, stream, [text.hash, b"another"]) == {text.hash: text}


def test_an_erased_text_is_gone_and_everything_else_stays(event_store: PostgresStore, service: Connection) -> None:
    events, texts = a_game(0), [salted("one"), salted("two")]
    stream = events[0].stream
    event_store.append(stream, 0, events, also=[keep(stream, text) for text in texts])
    assert erase(service, stream, texts[0].hash)
    assert not erase(service, stream, texts[0].hash)
    assert not erase(service, a_stream(), texts[1].hash)
    assert read_texts(service, stream, [text.hash for text in texts]) == {texts[1].hash: texts[1]}
    assert tuple(event_store.read(stream)) == events
