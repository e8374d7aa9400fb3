//! Artefacts of a fuzzer, reduced through a derived decoder.
#![cfg(feature = "arbitrary")]

use arbitrary::{Arbitrary, Unstructured};
use mcve_dd::random::Random;
use mcve_generate::arbitrary::reduce;

#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Shape {
    Dot,
    Circle { radius: u16 },
    Text(String),
    Group(Vec<Shape>),
}

#[derive(Arbitrary, Clone, Debug, PartialEq)]
struct Scene {
    title: Option<String>,
    shapes: Vec<Shape>,
    colours: Vec<(u8, u8, u8)>,
    seed: u64,
}

fn decode(bytes: Unstructured<'_>) -> arbitrary::Result<Scene> {
    Scene::arbitrary_take_rest(bytes)
}

fn all<'s>(shapes: &'s [Shape]) -> Vec<&'s Shape> {
    let inside = |shape: &'s Shape| match shape {
        Shape::Group(inside) => all(inside),
        _ => Vec::new(),
    };
    shapes.iter().flat_map(|shape| std::iter::once(shape).chain(inside(shape))).collect()
}

/// The first random bytes whose scene fails are reduced: the number of bytes before and behind, the tests, and the scene.
#[track_caller]
fn check(length: usize, fails: impl Fn(&Scene) -> bool, expected: &Scene, most_bytes: usize, most_tests: usize) {
    let mut made = (0..2000).map(|seed| {
        let mut random = Random::new(seed);
        (0..length).map(|_| random.number().to_le_bytes()[0]).collect::<Vec<u8>>()
    });
    let bytes = made.find(|bytes| decode(Unstructured::new(bytes)).is_ok_and(|scene| fails(&scene)));
    let mut tests = 0;
    let counted = |scene: &Scene| {
        tests += 1;
        fails(scene)
    };
    let (bytes, scene) = reduce(bytes.expect("some fail"), decode, counted).expect("it fails");
    assert_eq!(&scene, expected);
    assert_eq!(decode(Unstructured::new(&bytes)), Ok(scene));
    assert!(bytes.len() <= most_bytes && tests <= most_tests, "{} bytes, {tests} tests", bytes.len());
}

#[test]
fn a_scene_is_reduced_to_what_fails() {
    let scene = |shapes: &[Shape]| Scene { title: None, shapes: shapes.to_vec(), colours: Vec::new(), seed: 0 };
    let circle = Shape::Circle { radius: 0x1001 };
    let is_large = |shape: &&Shape| matches!(shape, Shape::Circle { radius } if *radius > 0x1000);
    check(600, |scene| all(&scene.shapes).iter().any(is_large), &scene(&[circle]), 8, 600);
}

#[test]
fn several_shapes_stay_together() {
    let scene = |shapes: &[Shape]| Scene { title: None, shapes: shapes.to_vec(), colours: Vec::new(), seed: 0 };
    let text = Shape::Text("\0\0\0".to_owned());
    let is_long = |shape: &&Shape| matches!(shape, Shape::Text(text) if text.chars().count() > 2);
    let fails = |scene: &Scene| all(&scene.shapes).into_iter().filter(is_long).count() > 1;
    check(600, fails, &scene(&[text.clone(), text]), 19, 2700);
}

#[test]
fn a_list_of_pairs_is_reduced_from_the_end_of_the_bytes() {
    let fails = |scene: &Scene| scene.title.is_some() && scene.colours.iter().any(|(red, _, blue)| red < blue);
    let expected = Scene { title: Some(String::new()), shapes: Vec::new(), colours: vec![(0, 0, 1)], seed: 0 };
    check(300, fails, &expected, 7, 300);
}

#[test]
fn bytes_that_do_not_decode_to_a_failure_are_refused() {
    assert_eq!(reduce(vec![1, 2, 3], decode, |scene| scene.shapes.len() > 100), None);
}
