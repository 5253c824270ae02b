//! The completion queue for promises.
//!
//! Finished work pushes its result into the queue of the JavaScript thread that waits for it. The first result in an empty
//! queue wakes that thread, which then settles all queued promises.

use crate::language::JavaScript;
use crate::promise::Promise;
use crate::work::finish;
use napi::bindgen_prelude::{Function, FunctionCallContext, PromiseRaw, Unknown};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Env, Status, sys};
use sondage::internals::runtime::{self, Task};
use sondage::{Error, Result};
use sondage_ffi::{CompletionQueue, Output, Work};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Wakes the JavaScript thread.
type Waker = ThreadsafeFunction<(), (), (), Status, false, true, 0>;

/// A promise, until it is settled.
type Slot = Arc<Mutex<Option<Promise>>>;

struct Completion {
    slot: Slot,
    result: Result<Output<JavaScript>>,
}

/// The completions for a JavaScript thread, and its waker.
struct Thread {
    completions: CompletionQueue<Completion>,
    waker: Waker,
}

/// This thread's queue, by environment, and the number of its open promises.
#[derive(Default)]
struct Threads(HashMap<sys::napi_env, (Arc<Thread>, usize)>);

thread_local! {
    static HERE: RefCell<Threads> = RefCell::default();
}

/// Work in progress: its task, and its promise.
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
        thread.push(Completion { slot: theirs, result });
        Ok(())
    });
    Ok((Begun { task, slot }, shown))
}

impl Begun {
    /// Detaches the work, so that it can no longer be cancelled.
    pub fn detach(self) {
        self.task.detach();
    }

    /// Cancels the work and rejects its promise. (A write that was sent continues: the core sees to that.)
    pub fn give_up(self, env: &Env) {
        drop(self.task);
        settle(
            env,
            vec![Completion { slot: self.slot, result: Err(Error::internal("the call was cancelled")) }],
        );
    }
}

impl Thread {
    fn new(env: &Env) -> napi::Result<Arc<Self>> {
        let empty: Function<'_, (), ()> =
            env.create_function_from_closure("deliver", |context: FunctionCallContext<'_>| {
                let env: &Env = context.env;
                let thread =
                    HERE.with_borrow(|here| here.0.get(&env.raw()).map(|(thread, _)| thread.clone()));
                settle(env, thread.map(|thread| thread.completions.drain()).unwrap_or_default());
                Ok(())
            })?;
        let waker = empty.build_threadsafe_function().weak::<true>().build()?;
        Ok(Arc::new(Self { completions: CompletionQueue::default(), waker }))
    }

    fn push(&self, completion: Completion) {
        if self.completions.push(completion) {
            // The waker of a thread that is ending has no effect, and nothing waits there any more.
            self.waker.call((), ThreadsafeFunctionCallMode::NonBlocking);
        }
    }

    /// Whether the waker keeps the process alive.
    #[allow(unsafe_code)]
    fn hold(&self, env: &Env, alive: bool) {
        let waker = self.waker.handle.get_raw();
        // SAFETY: the waker lives as long as this queue, and this is the thread of its environment.
        unsafe {
            if alive {
                sys::napi_ref_threadsafe_function(env.raw(), waker)
            } else {
                sys::napi_unref_threadsafe_function(env.raw(), waker)
            }
        };
    }
}

impl Threads {
    /// The queue of an environment's thread, with one more open promise.
    fn open(&mut self, env: &Env) -> napi::Result<Arc<Thread>> {
        // A new environment may have the address of one that has ended.
        if self.0.get(&env.raw()).is_none_or(|(thread, _)| thread.waker.aborted()) {
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

/// Rejects the promises that are still open.
fn settle(env: &Env, completions: Vec<Completion>) {
    let mut settled = 0;
    for Completion { slot, result } in completions {
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
