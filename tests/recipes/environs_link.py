"""environs: a setting that is a URI, read from the environment."""

from environs import Env, EnvError

from uriparse import URI, URISyntaxError

env = Env()


@env.parser_for("uri")
def uri(value: str) -> URI:
    try:
        return URI(value)
    except URISyntaxError as error:
        raise EnvError(str(error)) from None
