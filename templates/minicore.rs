#[lang = "pointee_sized"]
pub trait PointeeSized {}
#[lang = "meta_sized"]
pub trait MetaSized: PointeeSized {}
#[lang = "sized"]
pub trait Sized: MetaSized {}
#[lang = "copy"]
pub trait Copy: Sized {}
impl Copy for u8 {}
impl Copy for u16 {}
impl Copy for u32 {}
impl Copy for u64 {}
impl Copy for u128 {}
impl Copy for usize {}
impl Copy for i8 {}
impl Copy for i16 {}
impl Copy for i32 {}
impl Copy for i64 {}
impl Copy for i128 {}
impl Copy for isize {}
impl Copy for f32 {}
impl Copy for f64 {}
impl Copy for bool {}
impl Copy for char {}
impl<T: PointeeSized> Copy for &T {}
impl<T: PointeeSized> Copy for *const T {}
impl<T: PointeeSized> Copy for *mut T {}
#[lang = "clone"]
pub trait Clone: Sized {
    fn clone(&self) -> Self;
}
impl<T: Copy> Clone for T {
    fn clone(&self) -> Self {
        *self
    }
}
pub trait Default {
    fn default() -> Self;
}
pub trait From<T> {
    fn from(from: T) -> Self;
}
pub trait Into<T> {
    fn into(self) -> T;
}
#[lang = "freeze"]
unsafe auto trait Freeze {}
#[lang = "unsafe_unpin"]
unsafe auto trait UnsafeUnpin {}
#[lang = "unpin"]
pub auto trait Unpin {}
pub unsafe auto trait Send {}
#[lang = "sync"]
pub unsafe auto trait Sync {}
unsafe impl Sync for u8 {}
#[lang = "legacy_receiver"]
pub trait Receiver {}
impl<T: PointeeSized> Receiver for &T {}
impl<T: PointeeSized> Receiver for &mut T {}
#[lang = "destruct"]
pub trait Destruct: PointeeSized {}
#[lang = "drop"]
pub trait Drop {
    fn drop(&mut self);
}
#[lang = "tuple_trait"]
pub trait Tuple {}
#[lang = "fn_once"]
pub trait FnOnce<Args: Tuple> {
    #[lang = "fn_once_output"]
    type Output;
    extern "rust-call" fn call_once(self, args: Args) -> Self::Output;
}
#[lang = "fn_mut"]
pub trait FnMut<Args: Tuple>: FnOnce<Args> {
    extern "rust-call" fn call_mut(&mut self, args: Args) -> Self::Output;
}
#[lang = "fn"]
pub trait Fn<Args: Tuple>: FnMut<Args> {
    extern "rust-call" fn call(&self, args: Args) -> Self::Output;
}
#[lang = "unsize"]
pub trait Unsize<T: PointeeSized>: PointeeSized {}
#[lang = "coerce_unsized"]
pub trait CoerceUnsized<T> {}
impl<'a, 'b: 'a, T: PointeeSized + Unsize<U>, U: PointeeSized> CoerceUnsized<&'a U> for &'b T {}
impl<'a, T: PointeeSized + Unsize<U>, U: PointeeSized> CoerceUnsized<&'a mut U> for &'a mut T {}
impl<T: PointeeSized + Unsize<U>, U: PointeeSized> CoerceUnsized<*const U> for *const T {}
#[lang = "dispatch_from_dyn"]
pub trait DispatchFromDyn<T> {}
impl<'a, T: PointeeSized + Unsize<U>, U: PointeeSized> DispatchFromDyn<&'a U> for &'a T {}
#[lang = "deref"]
pub trait Deref {
    #[lang = "deref_target"]
    type Target: PointeeSized;
    fn deref(&self) -> &Self::Target;
}
#[lang = "index"]
pub trait Index<Idx: PointeeSized> {
    type Output: PointeeSized;
    fn index(&self, index: Idx) -> &Self::Output;
}
#[lang = "add"]
pub trait Add<Rhs = Self> {
    type Output;
    fn add(self, rhs: Rhs) -> Self::Output;
}
impl Add for u8 {
    type Output = u8;
    fn add(self, rhs: u8) -> u8 {
        self + rhs
    }
}
impl Add for u32 {
    type Output = u32;
    fn add(self, rhs: u32) -> u32 {
        self + rhs
    }
}
impl Add for i32 {
    type Output = i32;
    fn add(self, rhs: i32) -> i32 {
        self + rhs
    }
}
impl Add for usize {
    type Output = usize;
    fn add(self, rhs: usize) -> usize {
        self + rhs
    }
}
#[lang = "sub"]
pub trait Sub<Rhs = Self> {
    type Output;
    fn sub(self, rhs: Rhs) -> Self::Output;
}
impl Sub for u8 {
    type Output = u8;
    fn sub(self, rhs: u8) -> u8 {
        self - rhs
    }
}
impl Sub for u32 {
    type Output = u32;
    fn sub(self, rhs: u32) -> u32 {
        self - rhs
    }
}
impl Sub for i32 {
    type Output = i32;
    fn sub(self, rhs: i32) -> i32 {
        self - rhs
    }
}
impl Sub for usize {
    type Output = usize;
    fn sub(self, rhs: usize) -> usize {
        self - rhs
    }
}
#[lang = "mul"]
pub trait Mul<Rhs = Self> {
    type Output;
    fn mul(self, rhs: Rhs) -> Self::Output;
}
impl Mul for u8 {
    type Output = u8;
    fn mul(self, rhs: u8) -> u8 {
        self * rhs
    }
}
impl Mul for u32 {
    type Output = u32;
    fn mul(self, rhs: u32) -> u32 {
        self * rhs
    }
}
impl Mul for i32 {
    type Output = i32;
    fn mul(self, rhs: i32) -> i32 {
        self * rhs
    }
}
impl Mul for usize {
    type Output = usize;
    fn mul(self, rhs: usize) -> usize {
        self * rhs
    }
}
#[lang = "neg"]
pub trait Neg {
    type Output;
    fn neg(self) -> Self::Output;
}
#[lang = "not"]
pub trait Not {
    type Output;
    fn not(self) -> Self::Output;
}
#[lang = "eq"]
pub trait PartialEq<Rhs: PointeeSized = Self> {
    fn eq(&self, other: &Rhs) -> bool;
}
#[lang = "phantom_data"]
pub struct PhantomData<T: PointeeSized>;
#[lang = "unsafe_cell"]
pub struct UnsafeCell<T: PointeeSized> {
    value: T,
}
#[lang = "manually_drop"]
pub struct ManuallyDrop<T: PointeeSized> {
    value: T,
}
#[lang = "Option"]
pub enum Option<T> {
    #[lang = "None"]
    None,
    #[lang = "Some"]
    Some(T),
}
use Option::*;
pub enum Result<T, E> {
    #[lang = "Ok"]
    Ok(T),
    #[lang = "Err"]
    Err(E),
}
use Result::*;
#[lang = "future_trait"]
pub trait Future {
    #[lang = "future_output"]
    type Output;
}
pub trait Iterator {
    type Item;
    fn next(&mut self) -> Option<Self::Item>;
}
#[lang = "panic_location"]
struct Location<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}
#[lang = "panic"]
#[track_caller]
fn panic(_message: &'static str) -> ! {
    loop {}
}
#[lang = "panic_bounds_check"]
#[track_caller]
fn panic_bounds_check(_index: usize, _length: usize) -> ! {
    loop {}
}
#[lang = "eh_personality"]
fn eh_personality() -> ! {
    loop {}
}
#[lang = "panic_const_add_overflow"]
#[track_caller]
fn panic_const_add_overflow() -> ! {
    loop {}
}
#[lang = "panic_const_sub_overflow"]
#[track_caller]
fn panic_const_sub_overflow() -> ! {
    loop {}
}
#[lang = "panic_const_mul_overflow"]
#[track_caller]
fn panic_const_mul_overflow() -> ! {
    loop {}
}
