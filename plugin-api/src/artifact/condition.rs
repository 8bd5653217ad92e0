//! Boolean C expressions inside artifacts: conditions of transitions, state invariants, predicates.
//! They are text with a scope, since artifacts outlive the program they were made for.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A side-effect free C expression that is read as true where it is not zero, with the function whose names it uses.
///
/// `true` has one form ([`Condition::always`]), which costs no memory; all others cost one pointer to clone. Two
/// conditions are equal if their scopes and texts are, whatever the expressions mean.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Condition(Option<Arc<Body>>);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Body {
    scope: Option<String>,
    text: String,
}

/// A condition on its way. Automata have one for each state and transition, nearly all of them `true`: these cost no memory.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Body", deny_unknown_fields)]
struct Transfer<'a> {
    scope: Option<Cow<'a, str>>,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

impl Serialize for Condition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Transfer { scope: self.scope().map(Cow::Borrowed), text: Cow::Borrowed(self.text()) }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Condition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Transfer { scope, text } = Transfer::deserialize(deserializer)?;
        if is_always(&text) {
            return Ok(Condition::always());
        }
        Ok(Body { scope: scope.map(Cow::into_owned), text: text.into_owned() }.into())
    }
}

fn is_always(text: &str) -> bool {
    // Nearly always it is written like this.
    text == "true" || matches!(text.trim(), "true" | "1")
}

impl Condition {
    /// The condition `true`, whose scope does not matter.
    pub const fn always() -> Self {
        Condition(None)
    }

    /// An expression over global variables only.
    pub fn global(text: impl Into<String>) -> Self {
        Body { scope: None, text: text.into() }.into()
    }

    /// An expression over the variables that `function` sees.
    pub fn in_function(function: impl Into<String>, text: impl Into<String>) -> Self {
        Body { scope: Some(function.into()), text: text.into() }.into()
    }

    pub fn new(scope: Option<impl Into<String>>, text: impl Into<String>) -> Self {
        Body { scope: scope.map(Into::into), text: text.into() }.into()
    }

    /// Whether this is the text `true` (or `1`). A tautology such as `x == x` is not recognised.
    pub fn is_true(&self) -> bool {
        self.0.is_none()
    }

    /// Nothing but blanks: stands for no expression, and every artifact refuses it.
    pub fn is_blank(&self) -> bool {
        self.text().is_empty()
    }

    /// The expression, without blanks around it.
    pub fn text(&self) -> &str {
        self.0.as_ref().map_or("true", |body| &body.text)
    }

    /// The function whose names the expression uses; none for global names only.
    pub fn scope(&self) -> Option<&str> {
        self.0.as_ref().and_then(|body| body.scope.as_deref())
    }
}

impl From<Body> for Condition {
    fn from(body: Body) -> Self {
        if is_always(&body.text) {
            return Condition(None);
        }
        let trimmed = body.text.trim();
        let text = if trimmed.len() == body.text.len() { body.text } else { trimmed.to_owned() };
        Condition(Some(Arc::new(Body { scope: body.scope, text })))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scope() {
            Some(scope) => write!(f, "{} (in {scope})", self.text()),
            None => f.write_str(self.text()),
        }
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn true_has_one_form() {
        for condition in [Condition::global(" true "), Condition::in_function("main", "1"), Condition::default()] {
            assert_eq!(condition, Condition::always());
            assert!(condition.is_true() && condition.scope().is_none());
            assert_eq!(condition.text(), "true");
        }
        assert_ne!(Condition::in_function("f", "x > 0"), Condition::in_function("g", "x > 0"));
        assert!(Condition::global("  ").is_blank() && !Condition::global("  ").is_true());
    }

    #[test]
    fn survives_transfer() {
        for condition in [Condition::always(), Condition::in_function("f", " x<=1 "), Condition::global("\"é\"[0]")] {
            let bytes = postcard::to_stdvec(&condition).unwrap();
            assert_eq!(postcard::from_bytes::<Condition>(&bytes).unwrap(), condition);
            let json = serde_json::to_string(&condition).unwrap();
            assert_eq!(serde_json::from_str::<Condition>(&json).unwrap(), condition);
        }
    }
}
