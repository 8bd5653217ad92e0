//! Values of symbols out of Z3's models.

use super::translate::{Ast, Translation};
use crate::smt::term::{Assignment, Sort, Value, mask};
use ::z3::ast::{Array, Ast as _, BV, Dynamic, Float};
use ::z3::{DeclKind, Model};
use std::collections::BTreeMap;
use std::sync::Arc;
use tandem_plugin_api::program::FloatKind;

/// Values of all symbols that the solver has seen.
pub fn read(model: &Model, translation: &Translation) -> Assignment {
    let mut assignment = Assignment { otherwise_zero: true, ..Assignment::default() };
    for (symbol, sort, ast) in translation.symbols() {
        if let Some(value) = value(model, sort, ast) {
            assignment.values.insert(symbol, value);
        }
    }
    assignment
}

fn value(model: &Model, sort: Sort, ast: &Ast) -> Option<Value> {
    match ast {
        Ast::Truth(ast) => Some(Value::Bool(model.eval(ast, true)?.as_bool()?)),
        Ast::Word(ast) => Some(Value::Bits(word(&model.eval(ast, true)?)?)),
        Ast::Float(ast) => {
            let Sort::Float(kind) = sort else { return None };
            Some(Value::Bits(float(&model.eval(ast, true)?, kind)?))
        }
        Ast::Array(ast) => array(model, &model.eval(ast, true)?),
    }
}

fn word(value: &BV) -> Option<u128> {
    let width = value.get_size();
    if width <= 64 {
        return Some(value.as_u64()?.into());
    }
    let high: u128 = value.extract(width - 1, 64).simplify().as_u64()?.into();
    let low: u128 = value.extract(63, 0).simplify().as_u64()?.into();
    Some(high << 64 | low)
}

fn float(value: &Float, kind: FloatKind) -> Option<u128> {
    let (exponent, significand) = super::float::layout(kind);
    let fraction = significand - 1;
    // NaNs have no bits of their own: the quiet one.
    let ieee = if value.is_nan().simplify().as_bool()? {
        mask(exponent) << fraction | 1 << (fraction - 1)
    } else {
        word(&value.to_ieee_bv().simplify())?
    };
    if kind != FloatKind::LongDouble {
        return Some(ieee);
    }
    let leading = u128::from(ieee >> 63 & mask(15) != 0);
    Some(ieee >> 63 << 64 | leading << 63 | ieee & mask(63))
}

/// Arrays are chains of writes to a uniform array, or functions.
fn array(model: &Model, value: &Array) -> Option<Value> {
    let mut elements = BTreeMap::new();
    let mut at = value.clone();
    let default = loop {
        if let Some(function) = at.as_array_func_decl() {
            let function = model.get_func_interp(&function)?;
            for entry in function.get_entries() {
                let index = numeral(entry.get_args().first()?)?;
                let element = numeral(&entry.get_value())?;
                elements.entry(index).or_insert(element);
            }
            break numeral(&function.get_else()?)?;
        }
        match at.safe_decl().ok()?.kind() {
            DeclKind::ConstArray => break numeral(&at.nth_child(0)?)?,
            DeclKind::Store => {
                let (index, element) = (numeral(&at.nth_child(1)?)?, numeral(&at.nth_child(2)?)?);
                // The outermost write is the last.
                elements.entry(index).or_insert(element);
                at = at.nth_child(0)?.as_array()?;
            }
            _ => return None,
        }
    };
    Some(Value::Array { default, elements: Arc::new(elements) })
}

fn numeral(value: &Dynamic) -> Option<u128> {
    word(&value.as_bv()?)
}
