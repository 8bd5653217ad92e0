//! What actors exchange: the GIA and its views.
