//! Results on their way to promises.
//!
//! Work that is done leaves its result in the box of the thread on which JavaScript waits for it. The first one into an
//! empty box wakes that thread, which then settles everything that has gathered.

use crate::language::JavaScript;
use crate::promise::Promise;
use crate::work::finish;
use napi::bindgen_prelude::{Function, FunctionCallContext, PromiseRaw, Unknown};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Env, Status, sys};
use sondage::runtime::{self, Task};
use sondage::{Error, Result};
use sondage_doors::{Gift, Outbox, Work};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Wakes the thread of JavaScript.
type Bell = ThreadsafeFunction<(), (), (), Status, false, true, 0>;

/// A promise, until somebody settles it.
type Slot = Arc<Mutex<Option<Promise>>>;

struct Letter {
    slot: Slot,
    result: Result<Gift<JavaScript>>,
}

/// Letters to a thread of JavaScript, and its bell.
struct Thread {
    outbox: Outbox<Letter>,
    bell: Bell,
}

/// This thread, by environment, and how many of its promises are open.
#[derive(Default)]
struct Threads(HashMap<sys::napi_env, (Arc<Thread>, usize)>);

thread_local! {
    static HERE: RefCell<Threads> = RefCell::default();
}

/// Work that has begun: its task, and its promise.
pub struct Begun {
    task: Task<()>,
    slot: Slot,
}

/// Starts work. The event loop stays alive until the promise is settled.
pub fn start(env: &Env, work: Work<JavaScript>) -> napi::Result<(Begun, PromiseRaw<'_, Unknown<'static>>)> {
    let (promise, shown) = Promise::new(env)?;
    let thread = HERE.with_borrow_mut(|here| here.open(env))?;
    let slot = Arc::new(Mutex::new(Some(promise)));
    let theirs = slot.clone();
    let task = runtime::spawn(async move {
        let result = runtime::caught(work).await;
        thread.post(Letter { slot: theirs, result });
        Ok(())
    });
    Ok((Begun { task, slot }, shown))
}

impl Begun {
    /// Lets the work go on without anybody who could give it up.
    pub fn detach(self) {
        self.task.detach();
    }

    /// Ends the work and its promise. (A write that was sent goes on, as the core sees to.)
    pub fn give_up(self, env: &Env) {
        drop(self.task);
        settle(env, vec![Letter { slot: self.slot, result: Err(Error::internal("the call was given up")) }]);
    }
}

impl Thread {
    fn new(env: &Env) -> napi::Result<Arc<Self>> {
        let empty: Function<'_, (), ()> =
            env.create_function_from_closure("deliver", |context: FunctionCallContext<'_>| {
                let env: &Env = context.env;
                let thread =
                    HERE.with_borrow(|here| here.0.get(&env.raw()).map(|(thread, _)| thread.clone()));
                settle(env, thread.map(|thread| thread.outbox.empty()).unwrap_or_default());
                Ok(())
            })?;
        let bell = empty.build_threadsafe_function().weak::<true>().build()?;
        Ok(Arc::new(Self { outbox: Outbox::default(), bell }))
    }

    fn post(&self, letter: Letter) {
        if self.outbox.post(letter) {
            // The bell of a thread that is ending does nothing, and nobody waits there any more.
            self.bell.call((), ThreadsafeFunctionCallMode::NonBlocking);
        }
    }

    /// Whether the bell keeps the process alive.
    #[allow(unsafe_code)]
    fn hold(&self, env: &Env, alive: bool) {
        let bell = self.bell.handle.get_raw();
        // SAFETY: the bell is there as long as this box, and we are on the thread of its environment.
        unsafe {
            if alive {
                sys::napi_ref_threadsafe_function(env.raw(), bell)
            } else {
                sys::napi_unref_threadsafe_function(env.raw(), bell)
            }
        };
    }
}

impl Threads {
    /// The thread of an environment, with one more promise open.
    fn open(&mut self, env: &Env) -> napi::Result<Arc<Thread>> {
        // An environment that has ended may have left its address to this one.
        if self.0.get(&env.raw()).is_none_or(|(thread, _)| thread.bell.aborted()) {
            self.0.insert(env.raw(), (Thread::new(env)?, 0));
        }
        let Some((thread, open)) = self.0.get_mut(&env.raw()) else { unreachable!() };
        if *open == 0 {
            thread.hold(env, true);
        }
        *open += 1;
        Ok(thread.clone())
    }

    fn close(&mut self, env: &Env, settled: usize) {
        if let Some((thread, open)) = self.0.get_mut(&env.raw()) {
            *open = open.saturating_sub(settled);
            if *open == 0 {
                thread.hold(env, false);
            }
        }
    }
}

/// Settles the promises that nobody has settled yet.
fn settle(env: &Env, letters: Vec<Letter>) {
    let mut settled = 0;
    for Letter { slot, result } in letters {
        let promise = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(promise) = promise {
            promise.settle(env, finish(env, result));
            settled += 1;
        }
    }
    if settled > 0 {
        HERE.with_borrow_mut(|here| here.close(env, settled));
    }
}
