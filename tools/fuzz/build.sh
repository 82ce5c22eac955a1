#!/bin/bash -eu
# OSS-Fuzz runs this in the image of Dockerfile: the kernels get its sanitizers by CC and CFLAGS.
URIPARSE_KERNEL=require pip3 install .
for fuzzer in tools/fuzz/fuzz_*.py; do
  compile_python_fuzzer "$fuzzer" --collect-all uriparse --collect-all abnf2lark
done
python3 tools/fuzz/seeds.py "$OUT/fuzz_uri_seed_corpus.zip"
