//! The Python classes that values are converted to and from: generated models, times, JSON.

use chrono::{Datelike, Timelike};
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDateTime, PyString, PyTuple, PyType};
use sondage::Timestamp;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A generated class, and its attributes by wire name, in the order of the model.
pub struct Class {
    class: Py<PyType>,
    attributes: Vec<(String, Py<PyString>)>,
}

/// The name of a struct, and its class, if there is one.
type Known = HashMap<&'static str, Option<Arc<Class>>>;

static CLASSES: Mutex<Option<Known>> = Mutex::new(None);

/// The class of a model; none for a struct that is not a model. The lookup is cached.
pub fn find(py: Python<'_>, name: &'static str) -> PyResult<Option<Arc<Class>>> {
    // The lock is never held while Python code may run.
    if let Some(class) = known().as_ref().and_then(|classes| classes.get(name)) {
        return Ok(class.clone());
    }
    let class = py.import("sondage._models")?.getattr_opt(name)?.map(Class::of).transpose()?.map(Arc::new);
    known().get_or_insert_default().insert(name, class.clone());
    Ok(class)
}

fn known() -> MutexGuard<'static, Option<Known>> {
    CLASSES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Class {
    fn of(class: Bound<'_, PyAny>) -> PyResult<Self> {
        let class = class.cast_into::<PyType>()?;
        let wire: Vec<String> = class.getattr("_wire")?.extract()?;
        let slots: Vec<Py<PyString>> = class.getattr("__match_args__")?.extract()?;
        Ok(Self { class: class.unbind(), attributes: wire.into_iter().zip(slots).collect() })
    }

    /// An instance without attributes.
    pub fn empty<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static NEW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let new = NEW.get_or_try_init(py, || {
            py.import("builtins")?.getattr("object")?.getattr("__new__").map(Bound::unbind)
        })?;
        new.bind(py).call1((&self.class,))
    }

    /// Sets the attribute of a wire name. `next` is its expected index: attributes are set in order.
    pub fn set(
        &self,
        instance: &Bound<'_, PyAny>,
        next: &mut usize,
        wire: &str,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let expected = self.attributes.get(*next).filter(|(name, _)| name == wire);
        *next += 1;
        let Some((_, name)) = expected.or_else(|| self.attributes.iter().find(|(name, _)| name == wire))
        else {
            return Err(PyValueError::new_err(format!("the class has no attribute for `{wire}`")));
        };
        set(instance, name.bind(instance.py()), value)
    }
}

/// Sets the unknown fields.
pub fn set_extra<'py>(instance: &Bound<'py, PyAny>, extra: Option<Bound<'py, PyAny>>) -> PyResult<()> {
    let py = instance.py();
    set(instance, intern!(py, "_extra"), &extra.unwrap_or_else(|| py.None().into_bound(py)))
}

/// Sets an attribute, bypassing the class's own `__setattr__`, which refuses.
#[allow(unsafe_code)]
fn set(instance: &Bound<'_, PyAny>, name: &Bound<'_, PyString>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    // SAFETY: three live objects, and the thread is attached; this is what `object.__setattr__` does.
    let result = unsafe { ffi::PyObject_GenericSetAttr(instance.as_ptr(), name.as_ptr(), value.as_ptr()) };
    if result == 0 { Ok(()) } else { Err(PyErr::fetch(instance.py())) }
}

/// A timestamp as an aware `datetime` in UTC, to the microsecond.
pub fn datetime(py: Python<'_>, time: Timestamp) -> PyResult<Bound<'_, PyAny>> {
    static PARTS: PyOnceLock<(Py<PyAny>, Py<PyAny>)> = PyOnceLock::new();
    let (class, utc) = PARTS.get_or_try_init(py, || {
        let module = py.import("datetime")?;
        let utc = module.getattr("timezone")?.getattr("utc")?;
        PyResult::Ok((module.getattr("datetime")?.unbind(), utc.unbind()))
    })?;
    let t = time.0;
    // A leap second is mapped to the end of the previous second.
    let micros = (t.nanosecond() / 1000).min(999_999);
    class.bind(py).call1((t.year(), t.month(), t.day(), t.hour(), t.minute(), t.second(), micros, utc))
}

/// An aware `datetime` in the core's format; `None` if it has no offset.
pub fn timestamp(value: &Bound<'_, PyDateTime>) -> PyResult<Option<String>> {
    if value.call_method0("utcoffset")?.is_none() {
        return Ok(None);
    }
    let text: String = value.call_method0("isoformat")?.extract()?;
    let time: Timestamp = text.parse().map_err(PyValueError::new_err)?;
    Ok(Some(time.to_string()))
}

/// An attribute: its name on the wire, its name for the caller, its value.
pub type Attribute<'py> = (String, String, Bound<'py, PyAny>);

/// The attributes of a model; none if the value is not a model.
pub fn attributes<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Vec<Attribute<'py>>>> {
    static MODEL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if !value.is_instance(MODEL.import(value.py(), "sondage._model", "Model")?)? {
        return Ok(None);
    }
    let class = value.get_type();
    let wire: Vec<String> = class.getattr("_wire")?.extract()?;
    let slots = class.getattr("__match_args__")?.cast_into::<PyTuple>()?;
    let mut out = Vec::with_capacity(wire.len());
    for (wire, slot) in wire.into_iter().zip(slots.iter()) {
        let slot = slot.cast_into::<PyString>()?;
        out.push((wire, slot.to_string(), value.getattr(&slot)?));
    }
    for item in value.getattr("extra")?.call_method0("items")?.try_iter()? {
        let (name, value): (String, Bound<'py, PyAny>) = item?.extract()?;
        out.push((name.clone(), name, value));
    }
    Ok(Some(out))
}
