"""Write what a run holds for other programs: CSV, Excel, Parquet, ISO-MME, printed tables."""

from solver.export.csv_file import as_csv
from solver.export.errors import ExportError
from solver.export.excel import write_excel
from solver.export.mme import write_mme
from solver.export.parquet import write_parquet
from solver.export.printed import printed

__all__ = ["ExportError", "as_csv", "printed", "write_excel", "write_mme", "write_parquet"]
