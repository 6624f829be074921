"""The checks of the audit, by subject; `periplus.library.audit.table` names them."""
