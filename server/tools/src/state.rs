//! What tools keep from call to call, each in a type of its own.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// One value of each type that was asked for. Lives as long as the tools of its workspace.
#[derive(Default)]
pub(crate) struct States(Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl States {
    /// The one value of that type; the first look makes it.
    pub fn of<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        let mut states = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let state = states.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(T::default()));
        // A value stands under its own type's key, so that the other case can't be.
        state.clone().downcast::<T>().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_one_value() {
        let states = States::default();
        *states.of::<Mutex<u8>>().lock().unwrap() += 1;
        *states.of::<Mutex<u8>>().lock().unwrap() += 1;
        assert_eq!(*states.of::<Mutex<u8>>().lock().unwrap(), 2);
        assert_eq!(*states.of::<Mutex<u16>>().lock().unwrap(), 0);
    }
}
