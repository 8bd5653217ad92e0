//! Tests of the models.
