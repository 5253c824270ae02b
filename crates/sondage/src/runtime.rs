//! The process's only runtime, on which every call runs.
//!
//! Calls do not depend on the executor of their caller: they run in tasks of their own, so that a write can outlive a
//! caller who gives up, and so that a client can be used from any thread, runtime and language.

use crate::error::{Error, Result};
use crate::{per_process, text};
use arc_swap::ArcSwapOption;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use std::any::Any;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

struct RuntimeSlot {
    process: u32,
    runtime: &'static Runtime,
}

static CURRENT: ArcSwapOption<RuntimeSlot> = ArcSwapOption::const_empty();

/// The runtime. It starts with the first call, is never dropped, and is created anew in a forked child, where the threads
/// of the parent's runtime do not exist.
///
/// # Panics
/// If the system has no threads or files left for it.
pub fn handle() -> Handle {
    try_handle().expect("the operating system gives no threads")
}

/// The runtime, or an error if the system has no threads or files left for it.
fn try_handle() -> Result<Handle> {
    let process = per_process::id_from_system();
    loop {
        let current = CURRENT.load();
        if let Some(current) = current.as_ref()
            && current.process == process
        {
            return Ok(current.runtime.handle().clone());
        }
        // The parent's runtime is leaked: dropping it would touch shared sockets. If two threads get here at once, one of
        // the two new runtimes stays idle forever.
        let mine = RuntimeSlot { process, runtime: Box::leak(Box::new(start(process)?)) };
        std::mem::forget(CURRENT.compare_and_swap(&current, Some(Arc::new(mine))));
    }
}

fn start(process: u32) -> Result<Runtime> {
    // One worker drives all I/O: a cross-thread hand-off costs more than a small call. Blocking waits give up the worker,
    // and files are written on the blocking pool; only spooling a page holds the worker up, briefly.
    Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("sondage")
        .on_thread_start(move || per_process::belongs_to(process))
        .enable_all()
        .build()
        .map_err(|error| {
            Error::configuration(text!("the library cannot start its threads ({error})"))
                .with_hint("Nothing was sent. Raise the limits of open files and threads of this process.")
                .caused_by(&error)
        })
}

/// What runs, unless the runtime could not start, and where its result arrives.
type Running<T> = (Option<JoinHandle<()>>, oneshot::Receiver<Result<T>>);

/// A task on the runtime. Dropping it cancels the task.
pub struct Task<T>(Option<Running<T>>);

impl<T> Task<T> {
    /// Detaches the task: it continues without anybody waiting for it.
    pub fn detach(mut self) {
        self.0 = None;
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        if let Some((Some(work), _)) = &self.0 {
            work.abort();
        }
    }
}

impl<T> Future for Task<T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<T>> {
        let Some((_, result)) = &mut self.0 else {
            return Poll::Ready(Err(Error::internal("a detached task was asked for its result")));
        };
        Pin::new(result)
            .poll(cx)
            .map(|result| result.unwrap_or_else(|_| Err(Error::internal("the call ended unexpectedly"))))
    }
}

/// Spawns a task on the runtime.
pub fn spawn<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Task<T> {
    spawn_boxed(Box::pin(work))
}

/// Allocated once per result, not per future.
fn spawn_boxed<T: Send + 'static>(work: BoxFuture<'static, Result<T>>) -> Task<T> {
    let (done, result) = oneshot::channel();
    let runtime = match try_handle() {
        Ok(runtime) => runtime,
        Err(error) => {
            let _ = done.send(Err(error));
            return Task(Some((None, result)));
        }
    };
    let work = async move {
        // Releases what the future holds before its result becomes visible.
        let result = caught(work).await;
        let _ = done.send(result);
    };
    Task(Some((Some(launch(&runtime, Box::pin(work))), result)))
}

/// A single task type for all futures: the runtime's code for each task type takes several kilobytes.
fn launch(runtime: &Handle, work: BoxFuture<'static, ()>) -> JoinHandle<()> {
    runtime.spawn(work)
}

/// Runs a future on the runtime: inside the current task if the caller is already a task of the runtime, which saves a
/// hand-over; otherwise in a task of its own. Dropping it cancels the future in either case. A panic ends the task, which turns it
/// into an error.
pub async fn here<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    let work = Box::pin(work);
    if try_handle().is_ok_and(|runtime| inside(&runtime)) { work.await } else { spawn(work).await }
}

/// Whether the current thread belongs to the runtime.
fn inside(runtime: &Handle) -> bool {
    Handle::try_current().is_ok_and(|here| here.id() == runtime.id())
}

/// Runs disk I/O on the blocking pool.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let outcome = handle().spawn_blocking(work).await;
    outcome.unwrap_or_else(|_| Err(Error::internal("the work on a file was ended")))
}

/// Runs a future and turns a panic into an error.
pub async fn caught<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|panic| Err(panicked(panic.as_ref())))
}

/// The instant after a duration. An instant that the clock cannot represent is replaced by one 30 years ahead.
pub fn after(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or_else(|| now + Duration::from_secs(30 * 365 * 86_400))
}

/// Waits for a future until a deadline, on any executor.
pub async fn timeout_at<T>(deadline: Instant, work: impl Future<Output = T>) -> Option<T> {
    let timeout = {
        let _inside = handle().enter();
        tokio::time::timeout_at(deadline.into(), work)
    };
    timeout.await.ok()
}

/// Blocks on a future without an executor. It is safe even on a thread that belongs to one.
pub fn block_on<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    match block_on_checking(work, Duration::MAX, || Ok::<(), std::convert::Infallible>(())) {
        Ok(result) => result,
        Err(never) => match never {},
    }
}

/// Blocks on a future and calls `check` periodically: if it fails, the future is dropped and the error returned.
pub fn block_on_checking<T: Send + 'static, E>(
    work: impl Future<Output = Result<T>> + Send + 'static,
    every: Duration,
    check: impl FnMut() -> std::result::Result<(), E>,
) -> std::result::Result<Result<T>, E> {
    let runtime = match try_handle() {
        Ok(runtime) => runtime,
        Err(error) => return Ok(Err(error)),
    };
    let (done, result) = mpsc::sync_channel(1);
    let work = async move {
        let _ = done.send(caught(work).await);
    };
    let task = launch(&runtime, Box::pin(work));
    let wait = || {
        let waited = wait(&result, every, check);
        if waited.is_err() {
            task.abort();
            // Its sender is dropped with it: when the caller learns of the error, the work has ended.
            let _ = result.recv();
        }
        waited
    };
    // If the waiting thread is a worker of the runtime, another thread takes over its work.
    if inside(&runtime) { tokio::task::block_in_place(wait) } else { wait() }
}

fn wait<T, E>(
    result: &mpsc::Receiver<Result<T>>,
    every: Duration,
    mut check: impl FnMut() -> std::result::Result<(), E>,
) -> std::result::Result<Result<T>, E> {
    loop {
        match result.recv_timeout(every) {
            Ok(result) => return Ok(result),
            Err(mpsc::RecvTimeoutError::Timeout) => check()?,
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Ok(Err(Error::internal("the call ended without a result")));
            }
        }
    }
}

/// A panic as an error: it must never cross into another language.
pub fn panicked(panic: &(dyn Any + Send)) -> Error {
    let text =
        panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    Error::internal(format!("a call failed inside the library ({})", text.unwrap_or("no reason was given")))
}
