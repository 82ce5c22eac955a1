"""One module for each library of others, which that module imports and nothing else does."""
