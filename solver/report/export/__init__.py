"""Write what a run holds for other programs: CSV, Excel, Parquet, ISO-MME, printed tables."""

from solver.report.export.mme import write_mme
from solver.report.export.printed import printed
from solver.report.export.tables import (
    ExportError,
    as_csv,
    impacts_as_csv,
    write_excel,
    write_parquet,
)

__all__ = [
    "ExportError",
    "as_csv",
    "impacts_as_csv",
    "printed",
    "write_excel",
    "write_mme",
    "write_parquet",
]
