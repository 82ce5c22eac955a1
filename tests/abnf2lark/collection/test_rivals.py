"""The table of other tools is measured on the suites, and of ours no verdict is wrong."""

import pytest

from tools.collection import rivals

pytestmark = pytest.mark.slow


def test_no_verdict_of_ours_is_wrong():
    made_when_asked, walked = rivals.by_ours()
    assert made_when_asked[:-2] == walked[:-2] == [0] * len(rivals.SUITES)
    assert [len(rivals.suite(name)[2]) for name in rivals.SUITES] == [269, 703, 1574, 270]
    assert 0 < made_when_asked[-1] < walked[-1], "octets: what is walked is kept"
