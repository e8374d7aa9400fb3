//@ edition: 2021
fn main() {
    print!(concat!("𝓐{0:?#}"))
}
