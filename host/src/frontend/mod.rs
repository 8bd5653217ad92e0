//! From C text to a `Program`: text preparation, parsing (lang-c), typing and lowering.
