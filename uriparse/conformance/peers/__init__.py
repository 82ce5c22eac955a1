"""Other people's URL parsers: each runs in a process of its own and answers about texts.

A peer is a library, or a language's URL parser. It answers whether it accepts a text and what
components it has (`ask`, for `uriparse conformance trial`), or where it would go with it (`Panel`,
for `uriparse diff`); it is never given the means to go there. If it crashes, hangs or writes
something else, that text alone is lost, or the peer's own row.

For an operation of RFC 3986 (`PeerTask.operation`) a text is that of a case: its texts with a space
between them, and `text` in the answer is the result.

The protocol is the same for all. The process is started with its task as the last arguments, and
writes `{"version": "1.0"}` (null where its library is missing, with a `"reason"` where it cannot be
used). Then it answers each line of its input, a JSON string, with a line of JSON:

- `false`, or `{"refuses": "reason"}`: it rejects the text;
- `{"fault": "reason"}`: the code that calls it failed, which is not a verdict;
- an object: it accepts the text, and these are its components, as far as it has them: `text` (its
  own spelling of it all), `scheme`, `authority`, `userinfo`, `host`, `port`, `path`, `query`,
  `fragment`. A destination is `scheme`, `host`, `port`, and either `target` or `path` and `query`.
"""
