// Why can an element not be taken out of a `Vec` by its index?
//@ error: cannot move out of index of `Vec<
//@ error: does not implement the `Copy` trait
//@ not-error: behind a (shared|mutable) reference
#[derive(Debug, Clone)]
struct Song { title: String, seconds: u32 }

#[derive(Debug)]
struct Playlist { name: String, songs: Vec<Song>, lengths: Vec<u32>, last: Option<Song> }

impl Playlist {
    fn new(name: &str) -> Playlist {
        Playlist { name: name.to_string(), songs: Vec::new(), lengths: Vec::new(), last: None }
    }
    fn add(&mut self, title: &str, seconds: u32) {
        self.songs.push(Song { title: title.to_string(), seconds });
        self.lengths.push(seconds);
    }
    fn length(&self, index: usize) -> u32 { self.lengths[index] }
    fn name(&self) -> String { self.name.clone() }
    fn play(&mut self, index: usize) -> Song {
        let length = self.length(index);
        let song = self.songs[index];
        println!("{} for {length}", song.title);
        self.last = Some(song.clone());
        song
    }
    fn last(&mut self) -> Option<Song> { self.last.take() }
}

fn main() {
    let mut list = Playlist::new("evening");
    list.add("Dusk", 184);
    list.add("Moths", 201);
    let song = list.play(1);
    println!("{} {} {:?}", list.name(), song.seconds, list.last());
}
