"""The names of language models: which options they take, and what is said about wrong ones."""

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from ninefold.players import UnknownPlayer, is_outside, make, name_of, runs_code
from ninefold.players.llm import LlmPlayer, Options, format_options, parse_options
from ninefold.players.llm.settings import Secret, settings_from

URL = {"NINEFOLD_LLM_URL": "http://localhost:8000/v1"}


def test_a_model_and_its_options() -> None:
    """The model is everything before the question mark; the rest has defaults."""
    assert parse_options("meta/llama-3:8b") == Options("meta/llama-3:8b")
    found = parse_options(
        "m?prompt=1&legal=yes&rules=book&format=json&reasoning=high&temperature=0"
    )
    assert found == Options(
        "m", prompt=1, legal="yes", rules="book", format="json", reasoning="high", temperature=0.0
    )
    assert found.uses_cache and not parse_options("m").uses_cache
    assert parse_options("m?prices=2.5/10&cache=yes").prices == (2.5, 10.0)
    assert name_of("llm:meta/llama-3:8b?legal=yes") == "llama-3:8b"
    assert is_outside("llm:m") and runs_code("llm:m")
    player = make("llm:m?max-tokens=50")
    assert isinstance(player, LlmPlayer) and player.spec == "llm:m?max-tokens=50"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("", "does not name a model. Write llm:MODEL"),
        ("a model", "does not name a model"),
        ("m\x1b[2J", "does not name a model"),
        ("m" * 300, "does not name a model"),
        ("m?", "has no option ''. Write name=value"),
        ("m?legal", "Write name=value"),
        ("m?colour=red", "has no option 'colour'"),
        ("m?legal=maybe", "legal must be no or yes, not 'maybe'"),
        ("m?think=hard", "think must be free, yes, no, not 'hard'"),
        ("m?prompt=3", "prompt must be a whole number from 1 to 2, not '3'"),
        ("m?retries=-1", "retries must be a whole number from 0 to 20, not '-1'"),
        ("m?temperature=nan", "temperature must be a number from 0 to 2, not 'nan'"),
        ("m?prices=cheap", "prices must be the prices of a million tokens"),
        ("m?prices=1..2/3", "prices must be the prices of a million tokens"),
        ("m?legal=yes&legal=no", "has the option legal twice"),
    ],
)
def test_wrong_options_are_refused_in_one_sentence(spec: str, said: str) -> None:
    """Before anything is asked, with what was expected."""
    with pytest.raises(UnknownPlayer) as refusal:
        make(f"llm:{spec}")
    assert said in refusal.value.message
    assert refusal.value.message.isprintable()


def test_a_key_in_the_name_is_refused_and_not_repeated() -> None:
    """It belongs into the environment, so no record can hold it."""
    for name in ("key", "api_key", "url", "base_url"):
        with pytest.raises(UnknownPlayer, match="NINEFOLD_LLM_KEY") as refusal:
            make(f"llm:m?{name}=sk-very-secret")
        assert "sk-very" not in refusal.value.message


def options() -> st.SearchStrategy[Options]:
    """Any options."""
    number = st.integers(0, 2_000_000).map(lambda millionths: millionths / 1_000_000)
    visible = st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="?&")
    fields: dict[str, st.SearchStrategy[object]] = {
        "model": st.text(visible, min_size=1, max_size=20),
        "prompt": st.sampled_from([1, 2]),
        "rules": st.sampled_from(["made", "book"]),
        "think": st.sampled_from(["free", "yes", "no"]),
        "format": st.sampled_from(["text", "json", "tool"]),
        "retries": st.integers(0, 20),
        "temperature": st.none() | number,
        "max_tokens": st.none() | st.integers(1, 1_000_000),
        "prices": st.none() | st.tuples(number, number),
    }
    return st.fixed_dictionaries(fields).map(lambda given: Options(**given))  # type: ignore[arg-type]


@given(options())
@settings(max_examples=examples(50), deadline=None)
def test_options_are_read_as_they_are_written(given: Options) -> None:
    """Whatever they are: the name in a record is the whole experiment."""
    assert parse_options(format_options(given)) == given


@given(st.text(max_size=60))
@settings(max_examples=examples(50), deadline=None)
def test_no_name_raises_anything_else(text: str) -> None:
    """It is read, or refused with a reason."""
    try:
        parse_options(text)
    except UnknownPlayer as refusal:
        assert refusal.message.isprintable()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "Set NINEFOLD_LLM_URL to the base URL"),
        ({"NINEFOLD_LLM_URL": "localhost:8000"}, "must be an address such as https://"),
        ({"NINEFOLD_LLM_URL": "http://me:secret-word@x/v1"}, "must be an address such as https://"),
        ({"NINEFOLD_LLM_URL": "http://:secret-word@x/v1"}, "must be an address such as https://"),
        ({"NINEFOLD_LLM_URL": "http://x/v1?key=secret-word"}, "belongs into NINEFOLD_LLM_KEY"),
        ({"NINEFOLD_LLM_URL": "http://x:99999/v1"}, "must be an address such as https://"),
        (URL | {"NINEFOLD_LLM_KEY": "secret-word\n\x00"}, "must be one line of ASCII"),
        (URL | {"NINEFOLD_LLM_TOKENS": "many"}, "NINEFOLD_LLM_TOKENS must be a positive whole"),
        (URL | {"NINEFOLD_LLM_MONEY": "-1"}, "NINEFOLD_LLM_MONEY must be a positive number"),
        (URL | {"NINEFOLD_LLM_CONCURRENCY": "0"}, "NINEFOLD_LLM_CONCURRENCY must be a positive"),
        (URL | {"NINEFOLD_LLM_PRICES": "5"}, "NINEFOLD_LLM_PRICES must be the prices"),
    ],
)
def test_a_wrong_environment_says_what_to_set(given: dict[str, str], said: str) -> None:
    """And shows no secret."""
    with pytest.raises(UnknownPlayer) as refusal:
        settings_from(given)
    assert said in refusal.value.message
    assert "secret-word" not in refusal.value.message


def test_the_environment_of_other_tools_is_understood() -> None:
    """Ninefold's own variables come first."""
    usual = {"OPENAI_BASE_URL": "https://a.example/v1/", "OPENAI_API_KEY": "other"}
    assert settings_from(usual).url == "https://a.example/v1"
    assert settings_from(usual).secret.headers == {"Authorization": "Bearer other"}
    own = settings_from(usual | URL | {"NINEFOLD_LLM_KEY": "mine"})
    assert own.url == URL["NINEFOLD_LLM_URL"]
    assert own.secret.headers == {"Authorization": "Bearer mine"}


def test_a_key_shows_itself_nowhere() -> None:
    """Neither in a text of the settings, nor pickled; it is taken out of what was heard."""
    import pickle

    settings = settings_from(URL | {"NINEFOLD_LLM_KEY": "sk-123456789"})
    assert "sk-1" not in repr(settings) and "sk-1" not in f"{settings.secret}"
    with pytest.raises(TypeError, match="not written"):
        pickle.dumps(settings)
    heard = {"a": ["for sk-123456789.", 5], "sk-123456789": None}
    assert settings.secret.hide(heard) == {"a": ["for [key].", 5], "[key]": None}
    assert Secret("4").hide("4 4") == "4 4"  # a word such as this is no secret
