//! The columns of a table, listed once: what is read, what is written, in which order.

use sqlx::{Sqlite, query::Query, sqlite::SqliteArguments};

/// A statement whose parameters are being bound.
pub(crate) type Statement<'q> = Query<'q, Sqlite, SqliteArguments>;

/// Ties the fields of a row type to columns of the same names.
///
/// `nested` is a field whose own columns are part of the same table. The library's derive
/// would do less than this and compile SQLite a second time for its macros.
macro_rules! columns {
    ($row:ident: $first:ident $(, $rest:ident)* $(; nested $nested:ident: $part:ident)?) => {
        impl $row {
            /// The names of the columns, separated by commas.
            pub(crate) const COLUMNS: &str =
                concat!(stringify!($first) $(, ", ", stringify!($rest))*);

            /// As many parameters as there are columns, separated by commas.
            pub(crate) const PARAMETERS: &str = concat!("?" $(, columns!(@next $rest))*);

            /// Binds the values in the order of the columns.
            pub(crate) fn bind<'q>(
                &self,
                statement: $crate::columns::Statement<'q>,
            ) -> $crate::columns::Statement<'q> {
                statement.bind(&self.$first)$(.bind(&self.$rest))*
            }
        }

        impl sqlx::FromRow<'_, sqlx::sqlite::SqliteRow> for $row {
            fn from_row(row: &sqlx::sqlite::SqliteRow) -> Result<$row, sqlx::Error> {
                Ok($row {
                    $first: sqlx::Row::try_get(row, stringify!($first))?,
                    $($rest: sqlx::Row::try_get(row, stringify!($rest))?,)*
                    $($nested: <$part as sqlx::FromRow<_>>::from_row(row)?,)?
                })
            }
        }
    };
    (@next $field:ident) => { ", ?" };
}

pub(crate) use columns;
