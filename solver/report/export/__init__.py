"""Write what a run holds for other programs: CSV, Excel, Parquet, ISO-MME, printed tables."""

from solver.report.export.csv_file import as_csv
from solver.report.export.errors import ExportError
from solver.report.export.excel import write_excel
from solver.report.export.mme import write_mme
from solver.report.export.parquet import write_parquet
from solver.report.export.printed import printed

__all__ = ["ExportError", "as_csv", "printed", "write_excel", "write_mme", "write_parquet"]
