//! Structs, enums and their inherent functions.

use super::features::Feature;
use super::scope::{Body, LocalKind};
use super::traits::METHOD_COST;
use super::types::Type;
use super::world::{Data, DataKind, Field, Record, Signature};
use super::writer::{BOUNDS, Writer, pick};
use crate::choices::{Choices, Halt};

const DERIVES: &str = "#[derive(Clone, Debug, Default, PartialEq)]";

const COPY_DERIVES: &str = "#[derive(Clone, Copy, Debug, Default, PartialEq)]";

impl Writer {
    /// A type parameter, which is added to the body.
    fn data_param(&mut self, c: &mut Choices) -> Result<Option<String>, Halt> {
        self.body = Body::new(0);
        let param = match self.has(Feature::Generics) {
            true => c.optional("param", 30, |c| self.name(c, "T"))?,
            false => None,
        };
        self.body.generics.extend(param.iter().map(|param| (param.clone(), None)));
        Ok(param)
    }

    /// Fields, including one of the type `first`.
    fn record(&mut self, c: &mut Choices, first: Option<&String>) -> Result<Record, Halt> {
        let is_named = c.flip("named", 60)?;
        let mut fields: Vec<Field> = Vec::new();
        if let Some(param) = first {
            fields.push((self.name(c, "g")?, Type::Param(param.clone())));
        }
        let others = c.repeat("fields", 0..=3, |c| Ok((self.name(c, "g")?, self.some_type(c, 2)?)))?;
        fields.extend(others);
        if !is_named {
            fields.iter_mut().enumerate().for_each(|(number, field)| field.0 = number.to_string());
        }
        Ok(Record { fields, is_named })
    }

    /// The source text of fields.
    fn fields(&self, record: &Record, visibility: &str) -> String {
        let fields: Vec<String> = record
            .fields
            .iter()
            .map(|(name, ty)| {
                let name = if record.is_named { format!("{name}: ") } else { String::new() };
                format!("{visibility}{name}{}", self.ty(ty))
            })
            .collect();
        match (record.is_named, fields.is_empty()) {
            (true, _) => format!(" {{ {} }}", fields.join(", ")),
            (false, true) => String::new(),
            (false, false) => format!("({})", fields.join(", ")),
        }
    }

    fn is_copy(&self, record: &Record) -> bool {
        record.fields.iter().all(|(_, ty)| self.world.is_copy(ty))
    }

    /// A struct.
    pub(super) fn structure(&mut self, c: &mut Choices) -> Result<String, Halt> {
        let place = self.place(c, "S")?;
        let param = self.data_param(c)?;
        let record = self.record(c, param.as_ref())?;
        let is_copy = self.is_copy(&record);
        let derives = if is_copy { COPY_DERIVES } else { DERIVES };
        let fields = self.fields(&record, "pub ");
        let end = if record.is_named { "" } else { ";" };
        let params = param.as_ref().map_or(String::new(), |param| format!("<{param}>"));
        let text = format!("{derives} pub struct {}{params}{fields}{end}", place.name);
        self.world.data.push(Data { place, param, kind: DataKind::Struct(record), is_copy, methods: Vec::new() });
        Ok(text)
    }

    /// An enum. Its first variant has no fields, and its second uses the type parameter.
    pub(super) fn enumeration(&mut self, c: &mut Choices) -> Result<String, Halt> {
        let place = self.place(c, "E")?;
        let param = self.data_param(c)?;
        let plain = Record { fields: Vec::new(), is_named: false };
        let mut variants = vec![(self.name(c, "V")?, plain)];
        if param.is_some() {
            variants.push((self.name(c, "V")?, self.record(c, param.as_ref())?));
        }
        let others = c.repeat("variants", 1..=3, |c| Ok((self.name(c, "V")?, self.record(c, None)?)))?;
        variants.extend(others);
        let is_copy = variants.iter().all(|(_, record)| self.is_copy(record));
        let derives = if is_copy { COPY_DERIVES } else { DERIVES };
        let written: Vec<String> =
            variants.iter().map(|(name, record)| format!("{name}{}", self.fields(record, ""))).collect();
        let params = param.as_ref().map_or(String::new(), |param| format!("<{param}>"));
        let text = format!("{derives} pub enum {}{params} {{ #[default] {} }}", place.name, written.join(", "));
        self.world.data.push(Data { place, param, kind: DataKind::Enum(variants), is_copy, methods: Vec::new() });
        Ok(text)
    }

    /// The head of an impl for a struct or enum, up to the brace, and the target type. The type parameter is added to the body.
    pub(super) fn impl_head(&mut self, number: usize, of: Option<&str>) -> (String, Type) {
        let data = &self.world.data[number];
        let arguments: Vec<Type> = data.param.iter().map(|param| Type::Param(param.clone())).collect();
        let params = data.param.as_ref().map_or(String::new(), |param| format!("<{param}: {BOUNDS}>"));
        self.body.generics = data.param.iter().map(|param| (param.clone(), None)).collect();
        let target = Type::Data(number, arguments);
        let of = of.map_or(String::new(), |of| format!("{of} for "));
        (format!("impl{params} {of}{}", self.ty(&target)), target)
    }

    /// An inherent impl of a struct or enum.
    pub(super) fn inherent_impl(&mut self, c: &mut Choices) -> Result<String, Halt> {
        let data = self.world.data.iter().enumerate();
        let options: Vec<(u32, String, usize)> =
            data.map(|(number, data)| (1, data.place.name.clone(), number)).collect();
        if options.is_empty() {
            return Ok(String::new());
        }
        let number = pick(c, "data", options)?;
        let methods = c.repeat("methods", 1..=3, |c| {
            let name = self.name(c, "m")?;
            self.body = Body::new(METHOD_COST);
            let (_, target) = self.impl_head(number, None);
            self.body.add("self", &target, LocalKind::Reference);
            let params = self.params(c)?;
            let returns = self.some_type(c, 2)?;
            self.body.returns = Some(returns.clone());
            let body = self.function_body(c, &returns)?;
            let written: Vec<String> = std::iter::once("&self".to_owned()).chain(self.written(&params, "")).collect();
            let text = format!("pub fn {name}({}) -> {} {body}", written.join(", "), self.ty(&returns));
            Ok((text, Signature { name, params, returns }))
        })?;
        let (head, _) = self.impl_head(number, None);
        let (texts, signatures): (Vec<String>, Vec<Signature>) = methods.into_iter().unzip();
        self.world.data[number].methods.extend(signatures);
        Ok(format!("{head} {{ {} }}", texts.join(" ")))
    }
}
