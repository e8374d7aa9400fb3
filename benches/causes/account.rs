// bug: `withdraw` asks for a balance above the amount, so nobody can take all that there is.
// run: tests::all_can_be_taken
// fails: assertion `left == right` failed
// fixed: self.balance > amount => self.balance >= amount
// keeps: [.*]\w+>(?!self)[\w*]
// keeps: (?<!\w)([1-9]\d*)(?!\d).*(?<!\w)\1(?!\d)
pub struct Account {
    balance: u32,
    limit: u32,
    is_locked: bool,
}

impl Account {
    pub fn new(limit: u32) -> Account {
        Account { balance: 0, limit, is_locked: false }
    }

    pub fn deposit(&mut self, amount: u32) -> &mut Account {
        self.balance += amount;
        self
    }

    pub fn withdraw(&mut self, amount: u32) -> u32 {
        if self.is_locked || amount > self.limit {
            return 0;
        }
        if self.balance > amount {
            self.balance -= amount;
            return amount;
        }
        0
    }
}

#[test]
fn some_can_be_taken() {
    let mut account = Account::new(500);
    assert_eq!(account.deposit(90).withdraw(30), 30);
    assert_eq!(account.balance, 60);
}

#[test]
fn not_more_than_the_limit() {
    assert_eq!(Account::new(20).deposit(90).withdraw(30), 0);
}

mod tests {
    #[test]
    fn all_can_be_taken() {
        let mut account = super::Account::new(500);
        account.deposit(75);
        account.withdraw(75);
        assert_eq!(account.balance, 0);
    }
}
