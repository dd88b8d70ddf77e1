"""A server that was started with a knowledge base is asked about it without sending it again."""

from __future__ import annotations

import pytest

from boxsel import examples
from boxsel.serve.client import ApiError
from boxsel.serve.limits import Limits
from tests.serve.serving import serving


def test_questions_are_about_what_was_opened_unless_they_say_otherwise() -> None:
    with serving(Limits(workers=1)) as server:
        client = server.client
        with pytest.raises(ApiError, match="there is no knowledge base: send its text as kb"):
            client.bounds(query="(Admitted | Woman)")
        server.app.state.opened = examples.text("berkeley")
        assert client.bounds(query="(Admitted | Woman)")["lower_exact"] == "81/100"
        assert client.check()["coherent"]
        assert client.job("bounds", query="(Admitted | Man)")["lower_exact"] == "21/25"
        own = client.bounds(kb="(B | A)[0.5]", query="(B | A)")
        assert own["lower_exact"] == "1/2"
