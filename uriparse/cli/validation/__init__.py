"""The parts of `uriparse validate`: texts in, verdicts out, whatever the size of the input.

`sources` reads lines, NDJSON and CSV in chunks, `judging` makes the verdicts of a chunk, `workers`
spreads chunks over processes in their order, `forms` writes a verdict as text, NDJSON or CSV.
"""
