//! Tests of the printer: texts for people, and printed programs that gcc must find to mean the same.

mod build;
mod random_expressions;
mod texts;
mod whole_programs;
