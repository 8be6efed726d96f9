import re

from hypothesis import given
from hypothesis import strategies as st

from odevsr.showing.export.names import comment_text, safe_names

RESERVED = frozenset({"for", "x", "for_"})
names = st.text(min_size=1, max_size=80) | st.sampled_from(["for", "for_", "for__", "x", "x_", "y"])


@given(st.lists(names, unique=True, max_size=8))
def test_names_become_identifiers_that_are_nobody_elses(given_names):
    safe = safe_names(given_names, RESERVED)
    assert list(safe) == given_names
    assert len(set(safe.values())) == len(given_names)
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", each) for each in safe.values())
    assert all(len(each) < 63 for each in safe.values())
    assert not RESERVED & set(safe.values())


@given(st.lists(st.from_regex(r"[a-z][A-Za-z0-9_]{0,9}", fullmatch=True), unique=True))
def test_names_that_are_fit_are_kept(given_names):
    safe = safe_names(given_names, RESERVED)
    assert all(safe[name] == name for name in given_names if name not in RESERVED)


@given(st.text() | st.text(alphabet="*/\\?\n\r\u2028a"))
def test_a_comment_is_one_line_that_ends_no_comment_and_takes_no_other_in(text):
    line = comment_text(text)
    assert len(line.splitlines()) <= 1
    assert "*/" not in line
    assert not line.endswith(("\\", "/"))
