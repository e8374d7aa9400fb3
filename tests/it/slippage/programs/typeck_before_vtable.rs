//! A crash of type checking, and one that code generation would reach if nothing came before.
//@ edition: 2021
//@ compile-flags: --emit=obj
//@ rustc-env: RUSTC_BOOTSTRAP=1
#![feature(non_lifetime_binders)]

#[cfg(not(without_vtable))]
mod events {
    pub trait Event: Sized + 'static {
        type Context<'a>;
        const HOOK: *const dyn Hook = std::ptr::null::<fn(Self, Self::Context<'_>)>();
    }

    pub trait Hook {
        fn name(&self) -> &'static str {
            "hook"
        }
    }

    impl<E: Event> Hook for fn(E, E::Context<'_>) {}

    pub struct Resize {
        pub width: u32,
    }

    impl Event for Resize {
        type Context<'a> = u32;
    }

    pub fn fire(event: Resize) -> bool {
        let _hook = Resize::HOOK;
        event.width > 0
    }
}

#[cfg(not(without_typeck))]
mod workers {
    pub struct Pool {
        pub jobs: Vec<u32>,
    }

    impl Pool {
        pub fn map(&self, job: impl for<J> Fn(J) -> J) -> u32 {
            let _job = job;
            self.jobs.iter().sum()
        }

        pub fn sum(&self) -> u32 {
            self.map(|job| job)
        }
    }
}

fn main() {
    #[cfg(not(without_vtable))]
    println!("{}", events::fire(events::Resize { width: 3 }));
    #[cfg(not(without_typeck))]
    println!("{}", workers::Pool { jobs: vec![1, 2] }.sum());
}
