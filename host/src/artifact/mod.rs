//! File formats: one file per format, reader and writer side by side.
