// bug: `touch` moves a used key to the front, where `put` removes keys, so the key used last is the first to go.
// run: tests::used_key_stays
// fails: assertion failed: cache.get(1)
// fixed: self.order.insert(0, key) => self.order.push(key)
// keeps: insert\(0,
// keeps: remove\(0\)
pub struct Cache {
    order: Vec<u32>,
    size: usize,
}

impl Cache {
    pub fn new(size: usize) -> Cache {
        Cache { order: Vec::new(), size }
    }

    fn touch(&mut self, key: u32) {
        if let Some(at) = self.order.iter().position(|known| *known == key) {
            self.order.remove(at);
            self.order.insert(0, key);
        }
    }

    pub fn put(&mut self, key: u32) {
        if self.order.contains(&key) {
            return self.touch(key);
        }
        if self.order.len() == self.size {
            self.order.remove(0);
        }
        self.order.push(key);
    }

    pub fn get(&mut self, key: u32) -> bool {
        self.touch(key);
        self.order.contains(&key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_key_goes() {
        let mut cache = Cache::new(2);
        (1..4).for_each(|key| cache.put(key));
        assert!(!cache.get(1) && cache.get(2) && cache.get(3));
    }

    #[test]
    fn used_key_stays() {
        let mut cache = Cache::new(2);
        cache.put(1);
        cache.put(2);
        cache.get(1);
        cache.put(3);
        assert!(cache.get(1));
    }
}
